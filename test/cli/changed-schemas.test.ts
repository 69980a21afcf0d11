/** A start whose schemas differ from those of the build names what differs. */
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertRefused } from '../support/artifact-starts.ts'
import { root } from '../support/root.ts'
import { createBuiltShop, createWorkshop } from '../support/workshop.ts'

test('a schema that changed after the build is refused, with route, part and place', (t) => {
  const shop = createBuiltShop(t)
  shop.edit('items.js', 'maxLength: 20', 'maxLength: 21')
  assertRefused(
    shop,
    'FST_ERR_AOT_FUNCTION_MISSING',
    /validator for POST \/items, body \(declared at items\.js:14:3\): `properties\.name\.maxLength` is 21; the build read 20 at items\.js:14:3, and "items\.js" changed since\./,
    /Run "framework build app\.js"\.$/,
  )
})

/** Schemas that the start reads differently, because a module that the build doesn't know changes `toUpperCase`, and what the error says. */
const misread: readonly (readonly [factory: string, schema: string, said: string])[] = [
  [
    'framework',
    "{ querystring: { x: { const: 'a'.toUpperCase() } } }",
    '`properties.x.const` is "B"; the build read "A" at app.js:7:1',
  ],
  [
    'framework',
    "{ body: { $ref: 'shared#' } }",
    '`properties.x.const` of the shared schema "shared" is "B"; the build read "A" at app.js:6:1',
  ],
  [
    'fastify',
    "{ body: { type: 'string', enum: ['x', 'a'.toUpperCase()] } }",
    '`enum` is ["x","B"]; the build read ["x","A"] at app.js:7:1',
  ],
  [
    'framework/5',
    "{ headers: { type: 'object', properties: { [up]: {}, C: {} } } }",
    '`properties.a` is missing; the build read {} at app.js:7:1',
  ],
  [
    'framework/5',
    "{ response: { '2XX': { type: 'object', properties: up === 'A' ? { a: {}, b: {} } : { b: {}, a: {} } } } }",
    '`properties` is ["b","a"]; the build read ["a","b"] at app.js:7:1',
  ],
  [
    'framework/5',
    "up === 'A' ? { description: 'free' } : { params: { type: 'object' } }",
    'the build read no schema for this at app.js:7:1',
  ],
  [
    'framework/5',
    "{ response: { 200: { content: { 'text/plain': { schema: { type: 'string', title: up, maxLength: up === 'A' ? 1 : 2 } } } } } }",
    '`maxLength` is 2; the build read 1 at app.js:7:1',
  ],
]

for (const [factory, schema, difference] of misread) {
  test(`a value that the build read differently is named, without blaming the source: ${difference}`, (t) => {
    const shop = createWorkshop(t, 'cli/empty')
    const fastify = join(shop.folder, 'node_modules/fastify')
    if (factory === 'fastify') symlinkSync(join(root, 'node_modules/fastify-5'), fastify, 'dir')
    shop.write(
      'change.js',
      `const { toUpperCase } = ''
String.prototype.toUpperCase = function () { return this == 'a' ? 'B' : toUpperCase.call(this) }
`,
    )
    shop.writeApp(`import framework from '${factory}'
const app = framework()
const up = 'a'.toUpperCase()
const schema = ${schema}

app.addSchema({ $id: 'shared', type: 'object', properties: { x: { const: up } } })
app.post('/', { schema }, async () => '')
await app.ready()
`)
    shop.succeed('build', 'app.js')
    const preload = factory === 'fastify' ? 'fastify.mjs' : 'register.js'
    const flags = ['--import', './change.js', '--import', `./.framework/${preload}`]
    const { stderr } = shop.node(...flags, 'app.js')
    const said = `${difference}, and the source hasn't changed since`
    assert.ok(stderr.includes(said), stderr)
    assert.match(stderr, /framework build( app\.js)? --trace/)
  })
}

test('a program that was compiled before its source changed may be the cause', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const source = `import framework from 'framework'
const app = framework()
app.addSchema({ $id: 'name', maxLength: 2 })
app.post('/', { schema: { body: { $ref: 'name#' } } }, async () => '')
await app.ready()
`
  shop.write('src/app.ts', source)
  shop.write('dist/app.js', source.replace('2', '1'))
  shop.succeed('build', 'src/app.ts')
  assert.match(
    shop.start('dist/app.js').stderr,
    /: `maxLength` of the shared schema "name" is 1; the build read 2 at src\/app\.ts:3:1, and the source hasn't changed since, or "dist\/app\.js" was compiled before the source changed: then compile that first\. Run "framework build src\/app\.ts --trace"\.$/m,
  )
})

test('a route that the build has not seen is refused, with route and part', (t) => {
  const shop = createBuiltShop(t)
  shop.edit('items.js', "post('/'", "post('/things'")
  shop.edit('items.js', 'maxLength: 20', 'maxLength: 21')
  assertRefused(
    shop,
    'FST_ERR_AOT_FUNCTION_MISSING',
    /validator for POST \/items\/things, body: the build saw no route of this method and URL/,
    /or to a package, .*"--trace"\. Run "framework build app\.js"\.$/,
  )
})

test('a shared schema that changed refuses the routes that refer to it', (t) => {
  const shop = createBuiltShop(t)
  shop.edit('app.js', "type: 'number'", "type: 'integer'")
  assertRefused(
    shop,
    'FST_ERR_AOT_FUNCTION_MISSING',
    /: `properties\.amount\.type` of the shared schema "price" is "integer"; the build read "number" at app\.js:7:3, and "app\.js" changed since\. Run "framework build app\.js"\.$/,
  )
  // If nobody catches it, Node's output begins with the message, not with a line of this package.
  shop.write('uncaught.js', "import build from './app.js'\nawait build().ready()\n")
  shop.write(
    'uncaught.cjs',
    `const app = require('framework')()
app.get('/other', { schema: { querystring: { type: 'object' } } }, () => '')
void app.ready()
`,
  )
  for (const file of ['uncaught.js', 'uncaught.cjs']) {
    const { status, stderr } = shop.start(file)
    assert.equal(status, 1)
    assert.match(stderr, /^FastifyError(?: \[Error\])?: The artifact has no /)
  }
})
