/** Projects of several packages and configurations, laid out on disk as package managers do it. */
import assert from 'node:assert/strict'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { scan } from '../../../compiler/1-scan/index.ts'
import { kindOfFolder } from '../../../compiler/5-artifact/entry-files.ts'
import { SourceFiles } from '../../../compiler/util/source-files.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { bootOnFastify, toBooted } from '../../support/scan-oracle.ts'
import { temporaryFolder, writeAll } from '../../support/folders.ts'

const root = temporaryFolder({ after })
let count = 0

/** Writes files by path into a new folder; a path that ends in `@` links to the folder named by its text. */
function project(files: Readonly<Record<string, string | object>>): string {
  const dir = join(root, `project${count++}`)
  writeAll(dir, files)
  for (const [name, target] of Object.entries(files)) {
    if (!name.endsWith('@')) continue
    rmSync(join(dir, name))
    symlinkSync(join(dir, String(target)), join(dir, name.slice(0, -1)))
  }
  return dir
}

/** The application that the scan finds, without problems. */
async function scanned(dir: string, name: string) {
  const diagnostics: Diagnostic[] = []
  const report = (one: Diagnostic): void => void diagnostics.push(one)
  const graph = await scan({ entry: join(dir, name), root: dir, out: '' }, report)
  const booted = graph && toBooted(buildTree(graph, report))
  assert.deepEqual(diagnostics, [])
  return booted
}

/** Compares the scan of an entry with its boot on Fastify. */
async function assertBootsAlike(dir: string, name: string): Promise<void> {
  assert.deepEqual(await scanned(dir, name), await bootOnFastify(join(dir, name)))
}

const application = (...lines: string[]): string =>
  ["import framework from 'framework'", 'const app = framework()', ...lines].join('\n')

const registry = { name: 'registry', type: 'module', exports: './index.js' }
const route = (schema: string): string =>
  `export const routes = async (app) => { app.get('/', { schema: { querystring: ${schema} } }, async () => 'ok') }\n`

test('in CommonJS, a value of a module that is still being loaded is undefined, as tsc compiles it', async () => {
  const dir = project({
    'package.json': { type: 'commonjs' },
    'app.ts': application("import { pets } from './pets'", 'app.register(pets)', 'export = app'),
    'pets.ts': `import { owner } from './owners'
export const name = { type: 'string' }
export const pets = async (app) => { app.get('/', { schema: { querystring: owner } }, () => '') }`,
    'owners.ts': `import { name } from './pets'
export const owner = { type: 'object', properties: { known: { const: name === undefined } } }`,
  })
  assert.match(JSON.stringify(await scanned(dir, 'app.ts')), /"known":\{"const":true\}/)
})

test('follows packages of a workspace to their sources', async () => {
  const dir = project({
    'package.json': { name: 'shop', type: 'module', workspaces: ['packages/*'] },
    'packages/schemas/package.json': {
      name: '@shop/schemas',
      type: 'module',
      exports: { '.': './src/index.ts', './more/*': { types: './x.d.ts', default: './src/*.ts' } },
    },
    'packages/schemas/src/index.ts': "export const book: object = { title: { type: 'string' } }\n",
    'packages/schemas/src/author.ts':
      "export const author: object = { name: { type: 'string' } }\n",
    'packages/routes/package.json': { name: '@shop/routes', type: 'module', main: 'index.js' },
    'packages/routes/index.js': `import { book } from '@shop/schemas'\n${route('book')}`,
    'node_modules/@shop/schemas@': 'packages/schemas',
    'node_modules/@shop/routes@': 'packages/routes',
    'app/app.ts': application(
      "import { routes } from '@shop/routes'",
      "import { author } from '@shop/schemas/more/author'",
      "app.register(routes, { prefix: '/books' })",
      "app.get('/', { schema: { querystring: author } }, async () => 'ok')",
      'export default app',
    ),
  })
  await assertBootsAlike(dir, 'app/app.ts')
})

test('takes the sources of packages that are built, where tsconfig.json says which they are', async () => {
  const old = "export const book = { title: { type: 'null' } }\n"
  const dir = project({
    'package.json': { name: 'shop', type: 'module', imports: { '#more/*': './out/*.js' } },
    'base.json': { compilerOptions: { rootDir: 'app', outDir: 'out' } },
    'tsconfig.json': { extends: ['./base.json'] },
    'packages/lib/package.json': { name: 'lib', type: 'module', exports: './build/index.js' },
    'packages/lib/tsconfig.json': { compilerOptions: { outDir: 'build' } },
    'packages/lib/build/index.js': old,
    'packages/lib/src/index.ts': "export const book: object = { title: { type: 'string' } }\n",
    'packages/lib/test/index.test.ts': '',
    'node_modules/lib@': 'packages/lib',
    'node_modules/far/package.json': { name: 'far', exports: './build/index.js' },
    'node_modules/far/tsconfig.json': { compilerOptions: { outDir: 'build' } },
    'node_modules/far/build/index.js': 'exports.n = 7\n',
    'node_modules/far/src/index.ts': 'export const n = 8\n',
    'out/inner/author.js': old,
    'app/inner/author.ts': "export const author: object = { name: { type: 'string' } }\n",
    'app/app.ts': application(
      "import { n } from 'far'",
      "import { book } from 'lib'",
      "import { author } from '#more/inner/author'",
      "app.get('/', { schema: { querystring: book, params: author } }, async () => 'ok')",
      "app.get('/n', { schema: { querystring: { n: { maximum: n } } } }, async () => 'ok')",
    ),
  })
  const booted = await scanned(dir, 'app/app.ts')
  const schemas = booted?.routes.map(({ schema }) => schema)
  assert.deepEqual(schemas, [
    { querystring: { title: { type: 'string' } }, params: { name: { type: 'string' } } },
    { querystring: { n: { maximum: 7 } } },
  ])
})

test('finds the sources of packages that are not built', async () => {
  const dir = project({
    'package.json': { name: 'shop', type: 'module' },
    'packages/lib/package.json': { name: 'lib', type: 'module', exports: './dist/index.js' },
    'packages/lib/src/index.ts': "export { book } from './book.js'\n",
    'packages/lib/src/book.ts': "export const book = { title: { type: 'string' } } as const\n",
    'node_modules/lib@': 'packages/lib',
    'app.js': application(
      "import { book } from 'lib'",
      "app.get('/', { schema: { querystring: book } }, async () => 'ok')",
    ),
  })
  const booted = await scanned(dir, 'app.js')
  assert.deepEqual(booted?.routes[0]?.schema, { querystring: { title: { type: 'string' } } })
})

test('reads path mappings through `extends` and `references`', async () => {
  const app = application(
    "import { book } from '#book'",
    "import { author } from 'lib/author'",
    "app.get('/', { schema: { querystring: { ...book, ...author } } }, async () => 'ok')",
  )
  const sources = {
    'src/app.ts': app,
    'src/book.ts': "export const book = { a: { type: 'string' } }\n",
    'src/lib/author.ts': 'export const author = {}\n',
    'lib/author.ts': "export const author = { b: { type: 'string' } }\n",
  }
  // The pattern with more text before its star wins.
  const paths = { '*': ['./src/*'], '#book': ['./src/book.ts'], 'lib/*': ['./lib/*'] }
  const byExtends = project({
    ...sources,
    'config/base.json':
      '// mappings\n' + JSON.stringify({ compilerOptions: { baseUrl: '..', paths } }),
    'tsconfig.json': { extends: './config/base.json', compilerOptions: { strict: true } },
  })
  const byReference = project({
    ...sources,
    'tsconfig.app.json': { compilerOptions: { paths } },
    'tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
  })
  const byFolder = project({
    ...sources,
    'config/base.json': { compilerOptions: { baseUrl: '${configDir}', paths } },
    'tsconfig.json': { extends: './config/base.json' },
  })
  for (const dir of [byExtends, byReference, byFolder]) {
    const booted = await scanned(dir, 'src/app.ts')
    const querystring = { a: { type: 'string' }, b: { type: 'string' } }
    assert.deepEqual(booted?.routes[0]?.schema, { querystring })
  }
})

test('chooses the pattern with the longest prefix, as TypeScript and Node do', async () => {
  const dir = project({
    'package.json': {
      type: 'module',
      imports: { '#*': './schemas/*.js', '#*.js': './schemas/*.js', '#$*': './schemas/$&*.js' },
    },
    'tsconfig.json': {
      compilerOptions: { paths: { '@/*': ['./src/*'], '@/lib/*': ['./lib/*'] } },
    },
    'src/lib/book.js': "export const book = { type: 'null' }\n",
    'lib/book.js': "export const book = { type: 'string' }\n",
    'schemas/author.js': "export const author = { type: 'string' }\n",
    'schemas/$&$&.js': "export const money = { type: 'integer' }\n",
    'app.js': application(
      "import { book } from '@/lib/book'",
      "import { author } from '#author.js'",
      "import { money } from '#$$&'",
      "app.get('/', { schema: { querystring: { book, author, money } } }, async () => 'ok')",
    ),
  })
  const booted = await scanned(dir, 'app.js')
  const [book, author, money] = [{ type: 'string' }, { type: 'string' }, { type: 'integer' }]
  assert.deepEqual(booted?.routes[0]?.schema, { querystring: { book, author, money } })
})

test('takes texts that name the folder of the application, if they are written there', async () => {
  const dir = project({ 'package.json': { type: 'module' } })
  const schema = { $id: `https://example.com${dir}`, default: `${dir}/uploads` }
  writeAll(dir, {
    'app.js': application(
      `app.addSchema(${JSON.stringify(schema)})`,
      `const folders = ['/api', 's'].join('${dir}')`,
      "app.addSchema({ $id: 'computed', const: folders })",
      'export default app',
    ),
    'in.js': application(
      "app.addSchema({ $id: 'computed', const: import.meta.dirname + '/uploads' })",
      "app.addSchema({ $id: 'url', const: new URL('a', import.meta.url).href })",
    ),
  })
  await assertBootsAlike(dir, 'app.js')
  await assert.rejects(scanned(dir, 'in.js'), /folder that the application is in/)
})

test('takes an exported factory that depends on a condition for the application', async () => {
  const factory = (name: string): string =>
    `const ${name} = () => { const app = framework(); app.get('/${name}', async () => 'ok'); return app }\n`
  const app = `${factory('one')}${factory('two')}export default process.env.X ? one : two\n`
  const dir = project({ 'app.js': `import framework from 'framework'\n${app}` })
  assert.deepEqual(
    (await scanned(dir, 'app.js'))?.routes.map(({ url }) => url),
    ['/one'],
  )
})

test('two evaluations of one package share its state', async () => {
  const dir = project({
    'package.json': { type: 'module' },
    'node_modules/registry/package.json': registry,
    'node_modules/registry/index.js':
      'const all = new Map()\nexport const add = (name, value) => { all.set(name, value) }\nexport const get = (name) => all.get(name)\n',
    'definitions.js': "import { add } from 'registry'\nadd('book', { type: 'string' })\n",
    'app.js': application(
      "import { add, get } from 'registry'",
      "import './definitions.js'",
      "add('author', { type: 'integer' })",
      "app.get('/', { schema: { querystring: { book: get('book'), author: get('author') } } }, async () => 'ok')",
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('values that were read before a change stay what they were', async () => {
  const dir = project({
    'package.json': { type: 'module' },
    'node_modules/registry/package.json': registry,
    'node_modules/registry/index.js': [
      'export class Registry {',
      '  names = []',
      '  register(name, schema) { this.names = [...this.names, name]; this[name] = schema; return schema }',
      '  get first() { return this.names[0] }',
      '}',
    ].join('\n'),
    'app.js': application(
      "import { Registry } from 'registry'",
      'const registry = new Registry()',
      'const before = registry.names',
      'const count = registry.names.length',
      "const book = registry.register('book', { type: 'string' })",
      "if (count === 0) registry.register('author', { type: 'integer' })",
      'const tags = [String(before.length), String(count), ...registry.names, registry.first]',
      "app.get('/', { schema: { tags, querystring: { book, again: registry.book } } }, async () => 'ok')",
      'for (const name of registry.names) app.get(`/${name}`, async () => name)',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('knows what @fastify/env does to the schema that it is given', async () => {
  const dir = project({
    'package.json': { name: 'shop', type: 'module' },
    'node_modules/@fastify/env/package.json': { name: '@fastify/env', main: 'index.js' },
    // As the package does it, without the environment.
    'node_modules/@fastify/env/index.js': [
      'module.exports = async (app, options) => { options.schema.additionalProperties = false }',
      "module.exports[Symbol.for('skip-override')] = true",
    ].join('\n'),
    'app.js': application(
      "import env from '@fastify/env'",
      "app.addSchema({ $id: 'settings', type: 'object', properties: { PORT: { type: 'integer' } } })",
      'app.register(async (child) => {',
      "  await child.register(env, { schema: child.getSchema('settings') })",
      "  child.get('/', { schema: { response: { 200: { $ref: 'settings#' } } } }, async () => ({}))",
      '})',
      'export default () => app',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('wraps plugins as the installed fastify-plugin does', async () => {
  const dir = project({
    'package.json': { name: 'shop', type: 'module' },
    // Before it knew the option `encapsulate`.
    'node_modules/fastify-plugin/package.json': { name: 'fastify-plugin', version: '3.0.0' },
    'node_modules/fastify-plugin/index.js': [
      'module.exports = (plugin) => {',
      "  plugin[Symbol.for('skip-override')] = true",
      '  return plugin',
      '}',
    ].join('\n'),
    'app.js': application(
      "import fp from 'fastify-plugin'",
      "const books = fp(async (child) => { child.get('/books', async () => []) }, { encapsulate: true })",
      "app.register(books, { prefix: '/v1' })",
      'export default () => app',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('calls setters for properties that `Object.assign` takes of modules and packages', async () => {
  const parts = "{ querystring: { q: { type: 'string' } } }\n"
  const dir = project({
    'package.json': { name: 'shop', type: 'module' },
    'parts.js': `export const { querystring } = ${parts}`,
    'node_modules/registry/package.json': registry,
    'node_modules/registry/index.js': `export const parts = ${parts}`,
    'app.js': application(
      "import { parts } from 'registry'",
      "import * as own from './parts.js'",
      'class Schema {',
      '  constructor(source) { Object.assign(this, source) }',
      "  set querystring(properties) { this.made = { type: 'object', properties } }",
      '}',
      'const target = () => ({',
      "  set querystring(properties) { this.made = { type: 'object', properties } }",
      '})',
      'for (const [name, source] of Object.entries({ own, parts, copy: { ...parts } })) {',
      '  const made = [new Schema(source), Object.assign(target(), source)]',
      '  made.forEach((one, index) =>',
      "    app.get(`/${name}/${index}`, { schema: { querystring: one.made } }, async () => 'ok'))",
      '}',
      'export default app',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('ignores a byte order mark in package.json', async () => {
  const packageJson = (members: object): string => `\uFEFF${JSON.stringify(members)}`
  const dir = project({
    'package.json': packageJson({ type: 'module', scripts: { start: 'fastify start -o app.js' } }),
    'node_modules/lib/package.json': packageJson({
      name: 'lib',
      type: 'module',
      exports: './a.js',
    }),
    'node_modules/lib/a.js': "export const book = { title: { type: 'string' } }\n",
    'app.js': [
      "import { book } from 'lib'",
      'export const options = {}',
      "export default async (app) => { app.get('/', { schema: { querystring: book } }, async () => 'ok') }",
    ].join('\n'),
  })
  const booted = await bootOnFastify(join(dir, 'app.js'), { boots: 'plugin' })
  assert.deepEqual(await scanned(dir, 'app.js'), booted)
  assert.equal(kindOfFolder(dir, new SourceFiles()), 'module')
})

test('follows file URLs, whose paths are encoded', async () => {
  const dir = project({
    'package.json': { type: 'module' },
    'my routes/books.js': route("{ title: { type: 'string' } }"),
    'app.js': application(
      "const { routes } = await import(new URL('my routes/books.js', import.meta.url).href)",
      "app.register(routes, { prefix: '/books' })",
      'export default app',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})

test('follows what an application does about URLs that name no file', async () => {
  const dir = project({
    'package.json': { type: 'module' },
    'app.js': application(
      "import { readFileSync } from 'node:fs'",
      "import { fileURLToPath } from 'node:url'",
      "const given = ['file://[', 'file://host/books', 'books']",
      "const isFile = (url) => { try { return fileURLToPath(url) !== '' } catch { return false } }",
      'const mayRead = (url) => { try { return readFileSync(url) } catch { return undefined } }',
      'given.slice(0, 2).forEach(mayRead)',
      'await import(given[0]).catch(() => undefined)',
      "app.get(`/${given.filter(isFile).length}`, async () => 'ok')",
      'export default app',
    ),
  })
  await assertBootsAlike(dir, 'app.js')
})
