/** `framework init` where nothing starts the application: it writes a file that does, or finds one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planText } from '../../../cli/text/init.ts'
import { startProgram } from '../../support/command.ts'
import { type Files, project } from './project.ts'

const listens = (app: string): string[] => [
  `const address = await ${app}.listen({`,
  '  port: Number(process.env.PORT ?? 3000),',
  "  host: process.env.HOST ?? '0.0.0.0',",
  '})',
  'console.log(`Listening at ${address}`)',
]

const lines = (...all: string[]): string => `${all.join('\n')}\n`

/** The same in CommonJS, without a top-level `await`. */
const inFunction = (...body: string[]): string[] => [
  'async function start() {',
  ...body.map((line) => `  ${line}`),
  '}',
  '',
  'start()',
]

const own = { framework: '0.1.0' }
const cases = [
  {
    title: 'a function by name, of an ES module',
    type: 'module',
    entry: 'app.js',
    text: "import framework from 'framework'\nexport async function createApp() { return framework() }\n",
    server: lines(
      "import { createApp } from './app.js'",
      '',
      'const app = await createApp()',
      ...listens('app'),
    ),
  },
  {
    title: 'a plugin by default, of an ES module',
    type: 'module',
    entry: 'src/app.js',
    text: "export default async function (fastify, options) { fastify.get('/', async () => '') }\n",
    server: lines(
      "import fastify from 'framework'",
      "import routes from './app.js'",
      '',
      'const app = fastify()',
      'app.register(routes)',
      ...listens('app'),
    ),
  },
  {
    title: 'a function whose name the file needs itself',
    type: 'module',
    entry: 'app.js',
    text: "import framework from 'framework'\nexport const app = () => framework()\n",
    server: lines(
      "import { app as build } from './app.js'",
      '',
      'const app = await build()',
      ...listens('app'),
    ),
  },
  {
    title: 'an instance, of CommonJS',
    type: 'commonjs',
    entry: 'app.js',
    text: "const app = require('framework')()\nmodule.exports = app\n",
    server: lines("const app = require('./app.js')", '', ...inFunction(...listens('app'))),
  },
  {
    title: 'a member, of CommonJS',
    type: 'commonjs',
    entry: 'app.cjs',
    text: "module.exports = { build: () => require('framework')() }\n",
    server: lines(
      "const { build } = require('./app.cjs')",
      '',
      ...inFunction('const app = await build()', ...listens('app')),
    ),
  },
]

for (const { title, type, entry, text, server } of cases) {
  test(`a file that starts what an entry exports: ${title}`, async (t) => {
    const shop = project(t, {
      'package.json': { type, dependencies: own },
      [entry]: text,
      'node_modules/framework': 'LINK:runtime',
      'node_modules/@framework/compiler': 'LINK:compiler',
    })
    const plan = await shop.prepare(entry)
    const file = entry.replace('app.', 'server.')
    assert.ok(
      planText(plan, (_, text) => text).includes(`\nEntry  ${file}, which starts ${entry}, `),
    )
    assert.deepEqual(plan.notes, [])
    assert.equal(shop.read(file), server)
    const { scripts } = shop.manifest()
    assert.deepEqual(scripts, {
      build: `framework build ${file}`,
      start: `node --import ./.framework/register.js ${file}`,
      dev: `framework dev ${file}`,
    })
    assert.deepEqual((await shop.plan()).files, [])
    const started = startProgram(t, {
      folder: shop.folder,
      args: ['--import', 'framework/development', file],
      env: { PORT: '0', HOST: '127.0.0.1' },
    })
    await started.until(/^Listening at http:\/\/127\.0\.0\.1:\d+\n/)
  })
}

test('a server file in TypeScript starts from the folder of its output', async (t) => {
  const shop = project(t, {
    'package.json': { type: 'module', dependencies: own },
    'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
    'src/app.ts':
      "import framework from 'framework'\nexport default function build() { return framework() }\n",
  })
  await shop.prepare()
  assert.match(
    shop.read('src/server.ts'),
    /^import build from '\.\/app\.js'\n\nconst app = await build\(\)\n/,
  )
  const { scripts } = shop.manifest()
  assert.equal(scripts['start'], 'node --import ./.framework/register.js dist/server.js')
  assert.equal(scripts['build'], 'tsc && framework build src/server.ts')
  assert.deepEqual((await shop.plan()).files, [])
})

test('a script that `start` runs to compile the application builds it, too', async (t) => {
  const shop = project(t, {
    'package.json': {
      type: 'module',
      dependencies: own,
      scripts: { 'build:ts': 'tsc', start: 'npm run build:ts && node dist/server.js' },
    },
    'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
    'src/server.ts':
      "import framework from 'framework'\nconst app = framework()\nawait app.listen()\n",
  })
  assert.match(
    shop.init().stdout,
    /Next:\n(?: {2}npm install\n)? {2}npm run build:ts\n {2}npm run start$/m,
  )
  const { scripts } = shop.manifest()
  assert.equal(scripts['build:ts'], 'tsc && framework build src/server.ts')
  assert.equal(scripts['build'], undefined)
  assert.deepEqual((await shop.plan()).files, [])
})

test('a server file in TypeScript imports the entry as the project imports its modules', async (t) => {
  const app = "import framework from 'framework'\nexport const build = () => framework()\n"
  const projects: readonly (readonly [files: Files, imported: string])[] = [
    [{ 'app.ts': `import './plugin.ts'\n${app}`, 'plugin.ts': '' }, './app.ts'],
    [{ 'app.ts': `import './plugin.js'\n${app}`, 'plugin.ts': '' }, './app.js'],
    [
      {
        'app.ts': app,
        'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true } }',
      },
      './app.ts',
    ],
  ]
  for (const [files, imported] of projects) {
    const shop = project(t, {
      'package.json': {
        type: 'module',
        dependencies: own,
        devDependencies: { '@framework/compiler': '0.1.0', tsx: '4.20.0' },
      },
      ...files,
    })
    const { stdout } = shop.init('app.ts')
    const [first] = shop.read('server.ts').split('\n')
    assert.equal(first, `import { build } from '${imported}'`)
    // Nothing is to be installed that is not there.
    assert.match(stdout, / Next:\n {2}npm run build\n {2}npm run start\n$/)
  }
})

test('an existing file that starts it is used; a note mentions a script that only loads it', async (t) => {
  const app = "import framework from 'framework'\nexport const build = () => framework()\n"
  const shop = project(t, {
    'package.json': { type: 'module', dependencies: own },
    'app.js': app,
    'bin/www.js': "import { build } from '../app.js'\nbuild().listen({ port: 3000 })\n",
    'test/app.test.js': "import { build } from '../app.js'\nbuild().listen({ port: 0 })\n",
  })
  await shop.prepare()
  const { scripts } = shop.manifest()
  assert.equal(scripts['start'], 'node --import ./.framework/register.js bin/www.js')
  assert.equal(scripts['dev'], 'framework dev bin/www.js')

  const loading = project(t, {
    'package.json': {
      type: 'module',
      scripts: { start: 'node app.js' },
      dependencies: own,
    },
    'app.js': app,
  })
  const { notes } = await loading.plan()
  assert.match(
    notes.join(),
    /^The script `start` runs app\.js, which exports the application and does not listen: it would end at once\./,
  )
})
