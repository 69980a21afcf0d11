/** Problems with one cause are reported together, and errors at the start name the file that causes them. */
import assert from 'node:assert/strict'
import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('one mistake that breaks many schemas is reported once, with all of them', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('schemas.js', `export const item = { type: 'object' }\n`)
  const routes = Array.from(
    { length: 8 },
    (_, i) => `app.post('/${i}', { schema: { body: items } }, f)`,
  )
  shop.writeApp(`import framework from 'framework'
import { items } from './schemas.js'
const app = framework()
const f = async () => 'found'
${routes.join('\n')}
export default app
`)
  const stderr = shop.fail('build', 'app.js')
  assert.equal(stderr.match(/AOT_SCHEMA_NOT_STATIC/g)?.length, 1, stderr)
  assert.match(
    stderr,
    /^The body of the schema of POST \/0 cannot be computed: .* no export `items`/m,
  )
  for (const i of [1, 2, 3, 4, 5])
    assert.match(stderr, new RegExp(`^ {2}The body .* POST /${i} `, 'm'))
  assert.match(stderr, /^ {2}and 2 more\n\n/m)
  assert.match(stderr, /^8 problems; nothing was written\./m)
  assert.equal(shop.json('build', 'app.js').diagnostics.length, 8)
})

test('the same message at many places is shown in full once', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const routes = ['a', 'b', 'c', 'd'].map((name) => `app.get(prefix + '/${name}', async () => '')`)
  shop.writeApp(`import framework from 'framework'
const app = framework()
const prefix = process.env.API_PREFIX
${routes.join('\n')}
app.get('/open', { schema: { querystring: { type: 'text' } } }, async () => '')
export default app
`)
  const stderr = shop.fail('build', 'app.js')
  assert.equal(stderr.match(/AOT_ROUTE_NOT_STATIC/g)?.length, 1, stderr)
  assert.match(
    stderr,
    /^For the same reason:\n {2}app\.js:5:\d+\n {2}app\.js:6:\d+\n {2}app\.js:7:\d+\n\n/m,
  )
  assert.match(stderr, /AOT_SCHEMA_INVALID/)
  assert.match(stderr, /^5 problems; nothing was written\./m)
})

const schema = (length: number): string =>
  `export const name = { type: 'string', maxLength: ${length} }\n`

/** A workspace whose package `s` consists of these modules, as sources and compiled. */
function createWorkspace(t: TestContext, modules: Readonly<Record<string, string>>) {
  const shop = createWorkshop(t, 'cli/empty', {
    'packages/s/package.json': '{ "type": "module", "exports": "./dist/index.js" }',
    'packages/s/tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
  })
  symlinkSync(join(shop.folder, 'packages/s'), join(shop.folder, 'node_modules/s'), 'dir')
  const write = (module: string, text: string): void => {
    shop.write(`packages/s/src/${module}.ts`, text)
    shop.write(`packages/s/dist/${module}.js`, text)
  }
  for (const [module, text] of Object.entries(modules)) write(module, text)
  const compiledAt = (module: string, time: number): void =>
    utimesSync(join(shop.folder, `packages/s/dist/${module}.js`), time, time)
  return { shop, write, compiledAt }
}

test('a package of the workspace that was compiled before its source changed is named', (t) => {
  const { shop, compiledAt } = createWorkspace(t, { index: schema(1) })
  shop.write('packages/s/src/index.ts', schema(2))
  shop.writeApp(`import framework from 'framework'
import { name } from 's'
const app = framework()
app.post('/', { schema: { body: name } }, async () => '')
await app.ready()
`)
  shop.succeed('build', 'app.js')
  compiledAt('index', 1)
  assert.match(
    shop.start('app.js').stderr,
    /: "packages\/s\/dist\/index\.js" was compiled before "packages\/s\/src\/index\.ts" changed, and the build has read the latter: compile it first\.$/m,
  )
  compiledAt('index', Date.now() / 1000 + 60)
  assert.match(
    shop.start('app.js').stderr,
    /, and the source hasn't changed since, or "packages\/s\/dist\/index\.js" was compiled before the source changed: then compile that first\. Run "framework build app\.js --trace"\.$/m,
  )
  shop.write('packages/s/dist/index.js', schema(2))
  assert.equal(shop.start('app.js').status, 0)
})

test('any compiled file of such a package is named, not only its index', (t) => {
  const factory = (options: string): string =>
    `import framework from 'framework'\nexport const create = () => framework(${options})\n`
  const modules = {
    index: `export * from './factory.js'\nexport * from './schemas.js'\n`,
    factory: factory(''),
    schemas: schema(1),
  }
  const { shop, write, compiledAt } = createWorkspace(t, modules)
  const app = `import { create, name } from 's'
const app = create()
app.post('/', { schema: { body: name } }, async () => '')
await app.ready()
`
  shop.write('src/app.ts', app)
  shop.write('dist/app.js', app)
  const plugin = (error: string): string =>
    factory(`{ ajv: { plugins: [(ajv) => ajv.addKeyword({ keyword: 'k', errors: ${error} })] } }`)
  const changes = [
    ['schemas', schema(2)],
    ['factory', factory('{ ajv: { customOptions: { coerceTypes: false } } }')],
    ['factory', plugin('false')],
    ['factory', plugin('true')],
  ] as const
  for (const [changed, text] of changes) {
    for (const module of Object.keys(modules))
      compiledAt(module, module === changed ? 1 : Date.now() / 1000 + 60)
    shop.write(`packages/s/src/${changed}.ts`, text)
    shop.succeed('build', 'src/app.ts')
    const { stderr } = shop.start('dist/app.js')
    const words = `: "packages/s/dist/${changed}.js" was compiled before "packages/s/src/${changed}.ts" changed, `
    assert.ok(stderr.includes(words), text)
    write(changed, text)
  }
  assert.equal(shop.start('dist/app.js').status, 0)
})
