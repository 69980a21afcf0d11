/** Autoload in deployments to platforms without folders, and other files that are found by name. */
import assert from 'node:assert/strict'
import { cpSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copyPackages } from '../../compiler/deploy/output/copy-packages.ts'
import { OutputFolder } from '../../compiler/deploy/output/folder.ts'
import { openBare } from '../support/web/bare.ts'
import { runsAll } from '../support/runs.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import type { Finished } from '../support/command-runs.ts'
import type { Lasting } from '../support/folders.ts'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Names as systems and URLs write them differently, and one that isn't compiled. */
const plugins: Readonly<Record<string, string>> = {
  'index.js': '/',
  'tanks/_tank/index.js': '/tanks/a',
  'tanks/_tank/[fish] 1/#list.js': '/tanks/a/%5Bfish%5D%201',
  'shop/older.cjs': '/shop',
  'shop/typed.route.ts': '/shop',
  'shop/ünder 50%.mjs': '/shop',
}

function createAquarium(t: Lasting, autoload: string): Workshop {
  const aquarium = createWorkshop(t, 'cli/empty').writeApp(`import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autoload from '@fastify/autoload'
import fastify from 'fastify'

export default function aquarium() {
  const app = fastify()
  const dir = join(fileURLToPath(new URL('.', import.meta.url)), 'plugins')
  const filters = { ignorePattern: /draft/, ignoreFilter: '.route.js' }
  app.register(autoload, { dir, routeParams: true, autoHooks: true, ...filters })
  return app
}
`)
  const write = (file: string, text: string): void => aquarium.write(join('plugins', file), text)
  for (const file of Object.keys(plugins)) {
    const exports = file.endsWith('.cjs') ? 'module.exports =' : 'export default'
    write(
      file,
      `${exports} async (app) => { app.get(${JSON.stringify(`/${file.replace(/\W/g, '')}`)}, async (request, reply) => [${JSON.stringify(file)}, reply.getHeader('x-hook') ?? '']) }\n`,
    )
  }
  write(
    'tanks/_tank/autohooks.js',
    `export default async (app) => { app.addHook('onRequest', async (request, reply) => { reply.header('x-hook', 'seen') }) }\n`,
  )
  write('drafts/broken.js', 'not even JavaScript')
  const modules = join(aquarium.folder, 'node_modules')
  cpSync(join(installed, autoload), join(modules, '@fastify/autoload'), { recursive: true })
  aquarium.install('pkg-up')
  return aquarium
}

const deploy = (shop: Workshop, ...more: string[]): Finished =>
  shop.framework('deploy', 'app.js', '--target', 'web', '--out', 'out', ...more)

test('on the web, autoload finds the plugins that the build has found', async () => {
  const aquarium = createAquarium({ after }, '@fastify/autoload')
  const { status, stdout, stderr } = deploy(aquarium)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^Use it: import application from '\.\/out\/index\.js'/m)
  assert.doesNotMatch(stderr, /AOT_/)
  assert.deepEqual(
    aquarium.list('out').filter((file) => file.startsWith('files/')),
    ['files/plugins', 'files/plugins/drafts', 'files/plugins/drafts/broken.js'],
  )
  const place = await openBare(join(aquarium.folder, 'out'))
  try {
    for (const [file, prefix] of Object.entries(plugins)) {
      const url = `http://shop.test${prefix === '/' ? '' : prefix}/${file.replace(/\W/g, '')}`
      const answer = await place.ask({ url, method: 'GET', headers: [], body: null })
      const hook = file.startsWith('tanks/_tank/index') ? 'seen' : ''
      const text = Buffer.from(answer.body, 'latin1').toString()
      assert.equal(text, JSON.stringify([file, hook]), url)
    }
  } finally {
    await place.close()
  }
})

const refused: Readonly<Record<string, readonly [autoload: string, ...options: string[]]>> = {
  'the source does not tell what it finds': ['@fastify/autoload', '--trace'],
  'another package reads files for it': ['autoload-5.0'],
}

for (const [why, [autoload, ...options]] of Object.entries(refused).slice(runsAll ? 0 : -1)) {
  test(`autoload is refused on the web where ${why}`, (t) => {
    const { status, stderr } = deploy(createAquarium(t, autoload), ...options)
    assert.equal(status, 1)
    assert.match(
      stderr,
      /app\.js:3:\d+ {2}AOT_TARGET_LACKS\n"node:fs" does not work on web \(app\.js > @fastify\/autoload(?: > [\w-]+)* > fs\)\. The package reads folders to find your modules: import and register these by name\./,
    )
  })
}

test('the folder before a pattern is part of a deployment', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('services/inner/one.service.js', 'export default 1\n')
  shop.writeApp(`import { join } from 'node:path'
import framework from 'framework'
const app = framework()
app.get('/', async () => join(import.meta.dirname, 'services/**/*.{service,mapper}.js'))
void app.ready()
`)
  const { status, stderr } = shop.framework('deploy', 'app.js', '--target', 'node', '--out', 'out')
  assert.equal(status, 0)
  assert.equal(stderr, '')
  assert.ok(shop.list('out').includes('files/services/inner/one.service.js'))
})

for (const isRequired of [false, true]) {
  test(`modules that a package ${isRequired ? 'requires' : 'imports'} from a folder are bundled once, also those that the source imports by name`, (t) => {
    const load = isRequired
      ? 'const load = createRequire(import.meta.url)'
      : 'const load = (file) => import(pathToFileURL(file))'
    const shop = createWorkshop(t, 'cli/empty', {
      'node_modules/container/package.json': '{"type":"module","main":"index.js"}',
      'node_modules/container/index.js': `import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
${load}
export const loadAll = async (folder) =>
  Promise.all(readdirSync(folder).sort().map(async (name) => (await load(join(folder, name))).count))
`,
      'services/one.cjs': 'let n = 0\nexports.count = () => ++n\n',
      'services/two.cjs': 'let n = 10\nexports.count = () => ++n\n',
    })
    shop.writeApp(`import framework from 'framework'
import { loadAll } from 'container'
import { join } from 'node:path'
import one from './services/one.cjs'
const app = framework()
one.count()
const counters = await loadAll(join(import.meta.dirname, 'services'))
app.get('/', async () => 'home')
await app.ready()
console.log(counters.map((count) => count()).join())
`)
    shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
    assert.equal(shop.node('out').stdout, '2,11\n')
  })
}

test('files that compiled imports of CommonJS name are part of a deployment', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'text.txt': 'a text',
    'pages/page.txt': 'a page',
    'app.cts': `import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import framework from 'framework'

const app = framework()
const here = (name: string) => join(__dirname, name)
const inFolder = (name: string) => join(here(''), name)
const text = readFileSync(inFolder('text.txt'), 'utf8')
const pages = readdirSync(resolve(__dirname, 'pages'))
console.log(text, pages)
app.get('/', async () => text)
void app.ready()
`,
  })
  shop.succeed('deploy', 'app.cts', '--target', 'node', '--out', 'out')
  assert.equal(shop.node('out').stdout, "a text [ 'page.txt' ]\n")
})

test('threads run their own modules, even if the names of these have parts in common, or code lists their folder', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'tasks/print.js': 'process.exit(3)\n',
    'tasks-print.ts': 'process.exit(4 as number)\n',
    'app.js': `import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import framework from 'framework'
const app = framework()
app.get('/', async () => 'hello')
console.log(await once(new Worker(new URL('./tasks/print.js', import.meta.url)), 'exit'))
console.log(await once(new Worker(new URL('./tasks-print.ts', import.meta.url)), 'exit'))
console.log(readdirSync(new URL('./tasks/', import.meta.url)))
void app.ready()
`,
  })
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out', '--include', 'tasks')
  assert.equal(shop.node('out').stdout, "[ 3 ]\n[ 4 ]\n[ 'print.js' ]\n")
})

test('modules may change the variables of their path', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'paths.cjs': `const loops = []
for (__dirname of ['of', 'loops']) loops.push(__dirname)
for ([__filename] in { in: 1, loops: 2 }) loops.push(__filename)
module.exports = [...loops, __dirname++]
`,
    'app.js': `import framework from 'framework'
import paths from './paths.cjs'
const app = framework()
console.log(paths)
app.get('/', async () => paths)
void app.ready()
`,
  })
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
  assert.equal(shop.node('out').stdout, "[ 'of', 'loops', 'i', 'l', NaN ]\n")
})

test('a package of the workspace stays out of the bundle on request', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'packages/box/package.json': '{ "name": "box", "type": "module", "main": "index.js" }',
    'packages/box/index.js': 'export const file = import.meta.filename\n',
    'app.js': `import { relative } from 'node:path'
import framework from 'framework'
import { file } from 'box'
const app = framework()
app.get('/', async () => file)
console.log(relative(import.meta.dirname, file))
void app.ready()
`,
  })
  symlinkSync('../packages/box', join(shop.folder, 'node_modules/box'))
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out', '--external', 'box')
  assert.equal(shop.node('out').stdout, '../node_modules/box/index.js\n')
})

test('copied packages find the versions of others that the original ones find', (t) => {
  const names = ['a', 'b', 'x']
  const print = `console.dir(${JSON.stringify(names)}.map((one) => require(one)), { depth: null })\n`
  const shop = createWorkshop(t, 'cli/empty', { 'all.cjs': print, 'out/all.cjs': print })
  const install = (place: string, version: string, ...needs: string[]): void => {
    const dependencies = Object.fromEntries(needs.map((one) => [one, '*']))
    const about = { name: basename(place), version, dependencies }
    const found = needs.map((one) => `require('${one}')`)
    const code = `exports.version = '${version}'\nexports.found = [${found.join()}]\n`
    shop.write(`node_modules/${place}/package.json`, JSON.stringify(about))
    shop.write(`node_modules/${place}/index.js`, code)
  }
  install('a', '1', 'b')
  install('a/node_modules/b', '1')
  install('b', '2')
  install('x', '1', 'a', 'b')
  install('x/node_modules/a', '2', 'b')
  install('x/node_modules/b', '3', 'a')
  const modules = join(shop.folder, 'node_modules')
  const packages = names.map((name) => ({ name, folder: join(modules, name) }))
  copyPackages(packages, join(shop.folder, 'out'), new Map())
  const { stdout } = shop.node('all.cjs')
  assert.match(stdout, /version: '3'/)
  assert.equal(shop.node('out/all.cjs').stdout, stdout)
})

test('an interrupted deployment is only restored to its own folder', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  // Linux has no process with this id.
  shop.write('shop.v2.old-4194305/index.js', '')
  new OutputFolder(join(shop.folder, 'shop'), shop.folder).restore()
  assert.deepEqual(shop.list('shop.v2.old-4194305'), ['index.js'])
})
