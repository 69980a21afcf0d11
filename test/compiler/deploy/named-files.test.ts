/** Files that the application and its packages name: a deployment has them at the path that the name leads to, or reports them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DeployResult } from '../../../compiler/deploy/index.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { startElsewhere } from '../../support/start-elsewhere.ts'
import type { Server } from '../../support/start-server.ts'
import { createWorkshop, filesLeftOut } from '../../support/workshop.ts'

const packages = {
  'node_modules/old/package.json': { name: 'old', version: '1.0.0' },
  'node_modules/old/index.js': `const { spawnSync } = require('node:child_process')
const helper = require.resolve ? require.resolve('./helper.js') : null
exports.helped = () => JSON.parse(spawnSync(process.execPath, [helper], { encoding: 'utf8' }).stdout)
exports.read = () => require('node:fs').readFileSync(require.resolve('./data.txt'), 'utf8')
exports.builtin = () => require.resolve('fs')
exports.loaded = () => require(require.resolve('./inner')).inner
exports.installed = (name) => {
  try {
    return require.resolve(name).length > 0
  } catch (error) {
    return error.code
  }
}
`,
  'node_modules/old/inner.js': `exports.inner = 'an inner module'\n`,
  'node_modules/old/data.txt': 'data of a package',
  'node_modules/old/helper.js': `#!/usr/bin/env node
console.log(JSON.stringify({ ...require('./inner'), file: require('node:path').basename(__filename) }))
`,
  // What es-main does.
  'node_modules/is-main/index.mjs': `import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
export default function isMain(meta) {
  if ('main' in meta) return meta.main
  return createRequire(meta.url).resolve(process.argv[1]) === fileURLToPath(meta.url)
}
`,
  'node_modules/is-main/package.json': { name: 'is-main', version: '1.0.0', main: 'index.mjs' },
  // Dependency injection containers and loaders of GraphQL schemas load modules like this.
  'node_modules/load-all/package.json': { name: 'load-all', version: '1.0.0', main: 'index.mjs' },
  'node_modules/load-all/index.mjs': `import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
export default async function loadAll(folder) {
  const load = (file) => import(pathToFileURL(join(folder, file)))
  return Promise.all(readdirSync(folder).filter((file) => file.endsWith('.part.js')).map(load))
}
`,
  'node_modules/near/package.json': { name: 'near', version: '1.0.0' },
  'node_modules/near/index.js': `exports.read = (name) => require('node:fs').readFileSync(__dirname + name, 'utf8')\n`,
  'node_modules/near.txt': 'beside the folder',
  // As desm does.
  'node_modules/beside/package.json': { name: 'beside', version: '1.0.0', main: 'index.mjs' },
  'node_modules/beside/index.mjs': `import path from 'node:path'
import { fileURLToPath } from 'node:url'
export const join = (url, ...parts) => path.join(path.dirname(fileURLToPath(url)), ...parts)
`,
  'node_modules/money/package.json': { name: 'money', version: '1.0.0', main: 'index.mjs' },
  'node_modules/money/index.mjs': 'export const pounds = (count) => `£${count}`',
  // Code that Emscripten generates.
  'node_modules/engine/package.json': { name: 'engine', version: '1.0.0' },
  'node_modules/engine/index.js': `var fs = require('fs'), folder = ''
folder = typeof importScripts == 'function' ? require('path').dirname(folder) + '/' : __dirname + '/'
var binary
binary = 'engine.wasm'
if (!binary.startsWith('data:')) {
  var name = binary
  binary = exports.locateFile ? exports.locateFile(name, folder) : folder + name
}
exports.read = () => fs.readFileSync(binary, 'utf8')
`,
  'node_modules/engine/engine.wasm': 'a program',
  'node_modules/client/package.json': {
    name: 'client',
    version: '1.0.0',
    exports: { '.': './dist/client.js', './package.json': './package.json' },
  },
  'node_modules/client/dist/client.js': '/* a comment */ client()',
  'node_modules/client/dist/style.css': 'p {}',
}

/** Expressions of the application, with their values. */
const cases: readonly (readonly [expression: string, value: unknown])[] = [
  ['old.helped()', { inner: 'an inner module', file: 'helper.js' }],
  ['old.read()', 'data of a package'],
  ['old.builtin()', 'fs'],
  ['engine.read()', 'a program'],
  ['old.loaded()', 'an inner module'],
  [`old.installed('not-installed')`, 'MODULE_NOT_FOUND'],
  [`text(import.meta.resolve('client'))`, '/* a comment */ client()'],
  [`text(new URL(import.meta.resolve('client')))`, '/* a comment */ client()'],
  [`text(join(dirname(require.resolve('client')), 'style.css'))`, 'p {}'],
  [`text(join(require.resolve('client/package.json'), '../dist/style.css'))`, 'p {}'],
  [`run(fileURLToPath(import.meta.resolve('./lib/tool.js')))`, 'a tool'],
  [`import.meta.resolve('node:fs')`, 'node:fs'],
  [`require('./lib/command.cjs')`, 'a command'],
  [`require('./lib/page.cjs').page`, { text: 'a template' }],
  [`[isMain(import.meta), said.isMain]`, [true, false]],
  [`parts.map(({ price }) => price)`, ['£1', '£2']],
  [`process.env.NODE_ENV`, 'production'],
  [`said.environment`, 'production'],
  [`new URL('//cdn.test/x.js', import.meta.url).host`, 'cdn.test'],
  [`new URL('a%2Fb', import.meta.url).pathname.slice(-5)`, 'a%2Fb'],
  [`new URL('100%.js', import.meta.url).pathname.slice(-7)`, '100%.js'],
  [`text(join(import.meta.dirname, 'templates', query.of + '.html'))`, 'one'],
  ['text(`${import.meta.dirname}/templates/deep/${query.of}.html`)', 'deep one'],
  [`text(beside.join(import.meta.url, 'beside', 'one.txt'))`, 'beside'],
  [`text(beside.join(import.meta.url, 'beside/deep/../two.txt'))`, 'beside, two'],
  [`text(join(import.meta.url, '..', 'beside/three.txt'))`, 'beside, three'],
  [`text(new URL('./locale-' + query.of + '.txt', import.meta.url))`, 'locale one'],
]

describe('a deployment', () => {
  const shop = createWorkshop({ after }, 'cli/empty', {
    ...packages,
    'lib/tool.js': `import { said } from './said.js'\nprocess.stdout.write(said)\n`,
    'lib/said.js': `export const said = 'a tool'\n`,
    'lib/other.js': `import isMain from 'is-main'
export const said = { isMain: isMain(import.meta), environment: process.env.NODE_ENV }
`,
    'lib/command.cjs': `#!/usr/bin/env node\nmodule.exports = 'a command'\n`,
    // Like the hooks of compilers, such as `svelte/register`.
    'lib/page.cjs': `const { readFileSync } = require('node:fs')
const { join } = require('node:path')
require('node:module')._extensions['.tpl'] = (module, file) => { module.exports = { text: readFileSync(file, 'utf8') } }
exports.page = require(join(__dirname, 'page.tpl'))
`,
    'lib/page.tpl': 'a template',
    'parts/one.part.js': `import { pounds } from 'money'\nexport const price = pounds(1)\n`,
    'parts/two.part.js': `import { pounds } from 'money'\nexport const price = pounds(2)\n`,
    'templates/one.html': 'one',
    'templates/deep/one.html': 'deep one',
    'beside/one.txt': 'beside',
    'beside/two.txt': 'beside, two',
    'beside/three.txt': 'beside, three',
    'locale-one.txt': 'locale one',
    'terms.txt': 'terms',
    'certificate.pem': 'perhaps',
    'settings.json': '{}',
    'public/index.html': 'page',
    'views/one.html': 'view',
    'tasks.js': 'export {}',
  })
  shop.writeApp(`#!/usr/bin/env node
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import * as beside from 'beside'
import engine from 'engine'
import framework from 'framework/5'
import isMain from 'is-main'
import loadAll from 'load-all'
import near from 'near'
import old from 'old'
import { said } from './lib/other.js'
const require = createRequire(import.meta.url)
const text = (file) => readFileSync(String(file).startsWith('file:') ? new URL(file) : file, 'utf8')
const run = (file) => execFileSync(process.execPath, [file], { encoding: 'utf8' })
const parts = await loadAll(join(import.meta.dirname, 'parts'))
export default function shop() {
  const app = framework()
  ${cases.map(([expression], i) => `app.get('/${i}', async ({ query }) => ({ value: ${expression} }))`).join('\n  ')}
  app.get('/elsewhere', async ({ query }) => [
    readFileSync('terms.txt'),
    existsSync('certificate.pem'),
    existsSync('never.pem'),
    await stat('settings.json'),
    readdirSync(resolve('public')),
    readFileSync(\`./views/\${query.of}.html\`),
    readFileSync(join(process.cwd(), 'never.txt')),
    new Worker('./tasks.js'),
    readFileSync(join(import.meta.dirname, query.of)),
    near.read(query.of),
  ])
  return app
}
`)
  const elsewhere = temporaryFolder({ after })
  let server: Server
  let deployed: DeployResult

  before(async () => {
    ;({ deployed, server } = await startElsewhere(shop.folder, elsewhere))
  })
  after(() => server.stop())

  cases.forEach(([expression, value], i) => {
    test(`knows ${expression}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/${i}?of=one`)
      assert.deepEqual(await answer.json(), { value })
    })
  })

  test('lacks files of the working directory, and says so', () => {
    const left = filesLeftOut(deployed.warnings)
    assert.deepEqual(
      [...left.keys()],
      ['certificate.pem', 'public', 'settings.json', 'tasks.js', 'terms.txt', 'views'],
    )
    for (const message of left.values()) assert.match(message, /in "app\.js" is relative to the/)
  })

  test('lacks files beside a folder whose name begins like it', () => {
    const found = deployed.deployment?.assets.filter((file) => file.endsWith('near.txt'))
    assert.deepEqual(found, [])
  })

  test('lists modules that name files or modules by computed names', () => {
    assert.deepEqual(deployed.deployment?.unknownFiles, ['app.js', 'node_modules/near/index.js'])
    const names = ['lib/page.cjs', 'node_modules/load-all/index.mjs', 'node_modules/old/index.js']
    assert.deepEqual(deployed.deployment?.unknownNames, names)
  })
})
