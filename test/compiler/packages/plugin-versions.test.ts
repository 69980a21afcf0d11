/** Tests that the build reports plugins for another Fastify exactly if the application would fail to start. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { build, type Diagnostic } from '../../../compiler/index.ts'
import { testedPlugins } from '../../../compiler/packages/tested-plugins.ts'
import { knownDifferences } from '../../conformance/plugins/known-differences.ts'
import framework from '../../../runtime/index.ts'
import { satisfies } from '../../../runtime/boot/version-range.ts'
import { writeAll } from '../../support/folders.ts'
import { root } from '../../support/root.ts'

interface Plugin {
  /** The text of index.js, or files by their paths, first the main one. */
  readonly files: string | Readonly<Record<string, string>>
  /** The versions of Fastify that it requires, unless it fits. */
  readonly range?: string
  /** By default, `npm view`. */
  readonly advice?: string
  /** The export is called for it. */
  readonly isMade?: boolean
}

/** Packages that wrap plugins in different ways. */
const plugins: Readonly<Record<string, Plugin>> = {
  called: {
    files: `const fp = require('fastify-plugin'), copy = (a) => { const b = a; return fp(() => {}, b) }, back = (b) => { const a = b }
        module.exports = fp((app, options, done) => done(), { fastify: '5.x', name: 'called' })`,
    range: '5.x',
  },
  named: {
    files: `'use strict'
        const fp = require('fastify-plugin')
        function plugin (app, options, done) { done() }
        const wrapped = fp(plugin, { fastify: '>= 5.0.0', name: 'named' })
        module.exports = wrapped
        module.exports.default = wrapped
        module.exports.named = wrapped`,
    range: '>= 5.0.0',
  },
  compiled: {
    files: `"use strict";
        var __importDefault = (this && this.__importDefault) || function (mod) {
          return (mod && mod.__esModule) ? mod : { "default": mod };
        };
        Object.defineProperty(exports, "__esModule", { value: true });
        const fastify_plugin_1 = __importDefault(require("fastify-plugin"));
        const plugin = async () => {};
        const options = { name: 'compiled', fastify: '^5.0.0' };
        exports.default = (0, fastify_plugin_1.default)(plugin, options);`,
    range: '^5.0.0',
  },
  inside: {
    files: {
      'index.js': "module.exports = require('./lib/plugin.js')",
      'lib/plugin.js': `module.exports = require('fastify-plugin')(async () => {}, '5')`,
    },
    range: '5',
  },
  modern: {
    files: {
      'index.mjs': `import fp from 'fastify-plugin'
        import { plugin } from './plugin.mjs'
        export default fp(plugin, { fastify: '5.x' })`,
      'plugin.mjs': 'export async function plugin() {}',
    },
    range: '5.x',
  },
  made: {
    files: `const fp = require('fastify-plugin')
        module.exports = (options) => fp(async () => {}, { fastify: '5.x' })`,
    isMade: true,
    range: '5.x',
  },
  makes: {
    files: `const fp = require('fastify-plugin')
        function make (options) {
          async function plugin () {}
          return fp(plugin, { fastify: '^5.0.0', name: 'made' })
        }
        module.exports = make`,
    isMade: true,
    range: '^5.0.0',
  },
  makesFitting: {
    files: `module.exports = () => require('fastify-plugin')(async () => {}, '4.x')`,
    isMade: true,
  },
  fitting: {
    files: `module.exports = require('fastify-plugin')(async () => {}, { fastify: '4.x || 5.x' })`,
  },
  '@fastify/bearer-auth': {
    files: `module.exports = require('fastify-plugin')(async () => {}, { fastify: '5.x' })`,
    range: '5.x',
    advice: `\`npm install "@fastify/bearer-auth@${testedPlugins[4]['@fastify/bearer-auth']}"\``,
  },
  '@fastify/cookie': {
    files: `module.exports = require('fastify-plugin')(async () => {}, { fastify: '4.x' })`,
  },
}

test('a plugin that needs another Fastify is reported', async (t) => {
  const scratch = join(root, 'fixtures/_scratch')
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'plugins-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const names = Object.keys(plugins)
  for (const [name, { files }] of Object.entries(plugins)) {
    const all = typeof files === 'string' ? { 'index.js': files } : files
    const [main] = Object.keys(all)
    const dependencies = { 'fastify-plugin': '*' }
    writeAll(join(folder, 'node_modules', name), {
      'package.json': { name, version: '12.1.0', main, dependencies },
      ...all,
    })
  }
  writeAll(folder, {
    'package.json': { type: 'module' },
    'app.js': [
      "import framework from 'framework'",
      ...names.map((name, i) => `import plugin${i} from '${name}'`),
      'export const app = framework()',
      ...names.map((name, i) => `app.register(plugin${i}${plugins[name]?.isMade ? '()' : ''})`),
    ].join('\n'),
    'app-5.js':
      "import framework from 'framework/5'\nimport cookie from '@fastify/cookie'\nframework().register(cookie)",
  })
  const problemsOf = async (file: string): Promise<readonly Diagnostic[]> =>
    (await build({ entry: join(folder, file), out: join(folder, 'out', file), cache: false }))
      .diagnostics
  const diagnostics = await problemsOf('app.js')
  const wrong = names.filter((name) => plugins[name]?.range !== undefined)
  assert.deepEqual(
    diagnostics.map(({ code, at }) => [code, at.line]),
    wrong.map((name) => ['AOT_PLUGIN_VERSION', names.length + 3 + names.indexOf(name)]),
    diagnostics.map(({ message }) => message).join('\n'),
  )
  for (const [index, name] of wrong.entries()) {
    const { range, advice = `\`npm view ${name} versions\`` } = plugins[name] as Plugin
    const said = diagnostics[index]?.message ?? ''
    const beginning = `"${name}" 12.1.0 asks for Fastify ${range}, and this is 4.21.0`
    assert.ok(said.startsWith(beginning), said)
    assert.ok(said.includes(advice), said)
  }
  const [on5] = await problemsOf('app-5.js')
  const install = `npm install "@fastify/cookie@${testedPlugins[5]['@fastify/cookie']}"`
  assert.ok(on5?.message.includes(install), on5?.message)
  for (const name of names)
    assert.equal(await starts(folder, name, plugins[name]?.isMade), !wrong.includes(name), name)
})

async function starts(folder: string, name: string, isMade = false): Promise<boolean> {
  const file = createRequire(join(folder, 'app.js')).resolve(name)
  const { default: exported } = (await import(file)) as { default: never }
  const plugin = isMade ? (exported as () => never)() : exported
  try {
    await framework().register(plugin).ready()
    return true
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'FST_ERR_PLUGIN_VERSION_MISMATCH')
    return false
  }
}

test('docs/guide/plugins.md lists the tested versions of plugins, and those with tests that fail; package.json has them, and they fit', async () => {
  const table = readFileSync(join(root, 'docs/guide/plugins.md'), 'utf8')
  const rows = [...table.matchAll(/^\| `(@[^`]+)`[^|]*\| ([\d.]*) *\| ([\d.]*) *\|$/gm)]
  const names = Object.keys({ ...testedPlugins[4], ...testedPlugins[5] }).toSorted()
  assert.deepEqual(
    rows.map(([, ...row]) => row),
    names.map((name) => [name, testedPlugins[5][name] ?? '', testedPlugins[4][name] ?? '']),
  )
  const withDifferences = Object.values(knownDifferences)
    .flatMap(Object.keys)
    .map((file) => `@fastify/${file.split('/')[0]}`)
  const [, sentence = ''] = /They pass, except([^]*?)\./.exec(table) ?? []
  const mentioned = [...sentence.matchAll(/`(@[^`]+)`/g)].map(([, name]) => name)
  assert.deepEqual(new Set(mentioned), new Set(withDifferences))
  const { devDependencies } = readManifest('package.json')
  const { dependencies } = readManifest('compiler/package.json')
  for (const [name, version] of Object.entries(testedPlugins[4])) {
    assert.equal(devDependencies?.[name] ?? dependencies?.[name], version, name)
    const { default: plugin } = (await import(name)) as { default: Record<symbol, unknown> }
    const { fastify = '*' } = (plugin[Symbol.for('plugin-meta')] ?? {}) as { fastify?: string }
    assert.ok(satisfies('4.21.0', fastify), `${name} asks for ${fastify}`)
  }
})

function readManifest(file: string): Record<string, Record<string, string> | undefined> {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
