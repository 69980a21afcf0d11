/** The target of an application follows from what its modules import. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { importsIn } from '../../../compiler/servers/imports.ts'
import { detectServer } from '../../../compiler/servers/detect.ts'
import { createProject } from '../../support/bridged.ts'

const five = "import Fastify from 'fastify'\nexport const app = Fastify()\n"
const ours = "import framework from 'framework'\nexport const app = framework()\n"
const plugin = 'export default async () => {}\n'

/** Files, of which the last is the entry, by the target. `fastify` of the folder is 5. */
const projects: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  'fastify@5': [
    { 'app.mjs': "import Fastify, { fastify } from 'fastify'\n" },
    { 'app.cjs': "const fastify = require('fastify')\n" },
    { 'app.mjs': "const { default: f } = await import('fastify')\n" },
    { 'app.mjs': five, 'index.mjs': "import { app } from './app.mjs'\n" },
    { 'app.mjs': five, 'index.mjs': "export { app } from './app.mjs'\n" },
    { 'app.mjs': five, 'index.cjs': "import('./app.mjs')\n" },
    { 'src/app.ts': five, 'index.ts': "import { app } from './src/app.js'\n" },
    {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/app.ts': five,
      'index.ts': "import { app } from '@/app'\n",
    },
    {
      'a.mjs': "import './b.mjs'\nimport './index.mjs'\n",
      'b.mjs': "import './a.mjs'\nimport './app.mjs'\n",
      'app.mjs': five,
      'index.mjs': "import './a.mjs'\n",
    },
    // Nothing is imported: package.json decides.
    { 'app.ts': `import type { FastifyInstance } from 'fastify'\n${plugin}` },
    {
      'package.json': '{ "dependencies": { "framework": "*", "fastify": "*" } }',
      'app.mjs': plugin,
    },
    { 'package.json': '{ "peerDependencies": { "fastify": "*" } }', 'app.mjs': plugin },
    // A fork, installed as `fastify`.
    {
      'node_modules/fastify/package.json': '{ "name": "@acme/fastify", "version": "5.12.8" }',
      'app.mjs': five,
    },
  ],
  framework: [
    { 'app.mjs': ours, 'index.mjs': "import { app } from './app.mjs'\n" },
    // The nearest one decides, and types don't.
    { 'mock.mjs': five, 'app.mjs': `${ours}import './mock.mjs'\n` },
    { 'app.ts': `import { FastifyInstance } from 'fastify'\n${ours}` },
    {
      'app.ts': ours,
      'routes.ts':
        "export const a = 1\nimport type { X } from 'fastify'\nimport { type FastifyInstance, RouteOptions as R } from 'fastify'\n",
      'index.ts': "import './routes.ts'\nimport './app.ts'\n",
    },
    { 'app.mjs': `// import Fastify from 'fastify'\n/* require('fastify') */\n${ours}` },
    { 'package.json': '{ "dependencies": { "framework": "*" } }', 'app.mjs': plugin },
    // Another one is installed.
    {
      'node_modules/fastify/package.json': '{ "name": "framework", "version": "5.0.0" }',
      'app.mjs': five,
    },
  ],
  'no server': [
    { 'package.json': '{ "devDependencies": { "fastify": "*" } }', 'app.mjs': plugin },
    {
      'node_modules/fastify/package.json': '{ "name": "fastify", "version": "3.29.0" }',
      'app.mjs': five,
    },
  ],
}

for (const [target, list] of Object.entries(projects)) {
  for (const files of list) {
    test(`${target}: ${Object.keys(files).join(', ')}`, () => {
      const moved = Object.entries(files).map(([file, text]) => [`at/${file}`, text])
      const folder = createProject('fastify@5', {
        'at/package.json': '{ "dependencies": { "fastify": "*" } }',
        ...(Object.fromEntries(moved) as Record<string, string>),
      })
      const entry = join(folder, 'at', Object.keys(files).at(-1) ?? '')
      assert.equal(detectServer(entry, join(folder, 'at'))?.line ?? 'no server', target)
    })
  }
}

for (const [range, line] of [
  ['^5.0.0', 'fastify@5'],
  ['npm:fastify@~4.29', 'fastify@4'],
  ['npm:framework@0.1.0', 'framework'],
  ['*', undefined],
] as const) {
  test(`not installed: fastify ${range}`, () => {
    const folder = createProject(
      'fastify@5',
      {
        'package.json': JSON.stringify({ dependencies: { fastify: range } }),
        'app.mjs': five,
      },
      '/nowhere',
    )
    assert.equal(detectServer(join(folder, 'app.mjs'), folder)?.line, line)
  })
}

test('imports are found in the text of a module', () => {
  const text = `
    import a, { type B, c as d } from "one"; import * as e from 'two'
    import{MAXIMUM_NUMBER_OF_CONNECTIONS_PER_HOST,f}from'three'
    import type { G } from 'type-1'
    import type H from 'type-2'
    import type, { I } from 'four'
    export type { J } from 'type-3'
    export * as k from 'five'
    const l = require ( 'six' ), n = await import(\`seven\`)
    export const from = 1
    import 'eight' // import 'comment-1'
    /* import 'comment-2' */ import(\`\${n}/computed\`)
    const url = 'https://example.com'; require('nine')`
  assert.deepEqual(
    importsIn(text).map(({ specifier, isRequired }) => specifier + (isRequired ? '!' : '')),
    ['one', 'two', 'three', 'four', 'five', 'six!', 'seven', 'eight', 'nine!'],
  )
})
