/** The build computes how packages change classes, globals and values of an application, or refuses with the true reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const packages = {
  'node_modules/orm/index.js': `exports.Model = class {
  static get title() { return 'the ' + this.tableName }
  static schema() { return { type: 'object', properties: this.fields, required: [this.tableName] } }
  schema() { return this.constructor.schema() }
}`,
  'node_modules/checks/index.js': `exports.known = {}
exports.IsText = () => ({ constructor: { name } }, member) => {
  (exports.known[name] ??= { type: 'object', properties: {} }).properties[member] = { type: 'string' }
}`,
  'node_modules/checks-schemas/package.json': '{ "peerDependencies": { "checks": "1" } }',
  'node_modules/checks-schemas/index.js': "exports.toSchemas = () => require('checks').known",
  'node_modules/container/index.js': `const made = new Map()
exports.Service = () => (one) => void made.set(one)
exports.get = (one) => { if (!made.has(one)) throw new Error('unknown service'); return new one() }`,
  'node_modules/tools/index.js': `exports.mapValues = (one, map) => Object.fromEntries(Object.entries(one).map(([key, value]) => [key, map(value)]))
exports.fieldsOf = (one) => Object.fromEntries(Object.keys(new one()).map((key) => [key, { type: 'string' }]))
exports.now = () => Date.now() % 1000
exports.token = () => Math.random()
exports.mode = () => process.env.MODE ? 1 : 2`,
}

const application = `import framework from 'framework/5'
import { IsText } from 'checks'
import { toSchemas } from 'checks-schemas'
import { get, Service } from 'container'
import { Model } from 'orm'
import { fieldsOf, mapValues } from 'tools'
import { z } from 'zod'

class Pet extends Model {
  static tableName = 'pets'
  static fields = { name: { type: 'string' } }
}
class Dog extends Pet {}
Dog.tableName = 'dogs'
class Person { @IsText() name }
@Service() class Sizes { max = 7 }
function field(maxLength) { using _ = null; return { type: 'string', maxLength } }
class Fields { first = ''; read() { using _ = null; return 1 } }
String.prototype.shout = function () { return this.toUpperCase() }
String.prototype.at = () => 'patched'
namespace N { export const a = 2; export const b = N.a + 1 }

const app = framework()
app.decorate('limits', { max: 4 })
app.decorate('max', function () { return this.limits.max })
const parts = {
  inheritedGetter: { const: [Pet.title, Dog.title] },
  inheritedMethod: { enum: [Pet.schema(), Dog.schema()] },
  decorators: toSchemas().Person,
  container: { type: 'string', maxLength: get(Sizes).max },
  using: { type: 'object', properties: mapValues({ a: 1 }, field) },
  usingInClass: { type: 'object', properties: fieldsOf(Fields) },
  patch: { enum: ['a'.shout(), 'a'.at(0)] },
  reviver: JSON.parse('{ "type": "string", "maxLength": 1 }', (key, value) => key === 'maxLength' ? value + 1 : value),
  namespace: { const: N.b },
  getDecorator: { const: [app.getDecorator('limits').max, app.getDecorator('max')()] },
  methods: { enum: app.supportedMethods },
}
for (const [name, body] of Object.entries(parts)) app.post('/' + name, { schema: { body } }, async () => '')
app.register(async (own) => {
  own.setSerializerCompiler(() => JSON.stringify)
  const content = { 'application/json': { schema: z.object({ a: z.string() }) } }
  own.get('/zod', { schema: { response: { 200: { content } } } }, async () => ({ a: '' }))
})
const child = async (app) => { app.post('/child', { schema: { body: { type: 'string' } } }, async () => '') }
app.register(child, { prefix: process.env.PREFIX ?? '' })
await app.ready()
console.log('started')
`

test('code of packages gets the classes, globals and functions that it gets in the application', (t) => {
  const shop = createWorkshop(t, 'cli/empty', packages)
  shop.install('tsx', 'zod')
  shop.write('tsconfig.json', '{ "compilerOptions": { "experimentalDecorators": true } }')
  shop.write('app.ts', application)
  const warnings = shop.warnings('build', 'app.ts')
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['AOT_PREFIX_NOT_STATIC'],
  )
  const flags = ['--import', 'tsx', '--import', './.framework/register.js']
  const { stdout, stderr } = shop.node(...flags, 'app.ts')
  assert.equal(stdout, 'started\n', stderr)
})

test('an unknown prefix is a warning, unless a boot knows it', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const plugin =
    "async (own) => void own.post('/', { schema: { body: { type: 'string' } } }, async () => '')"
  shop.writeApp(`import framework from 'framework/5'
const app = framework()
app.register(${plugin}, { prefix: new Proxy({ of: '/known' }, {}).of })
app.register(${plugin}, { prefix: process.env.PREFIX ?? '/default' })
export default app
`)
  // Two boots agree on the first prefix only. The second one is known in the environment of the application.
  for (const [flag, lines] of Object.entries({
    '--no-boot': [3, 4],
    '--quiet': [4],
    '--trace': [],
  })) {
    const warnings = shop.warnings('build', 'app.js', flag)
    const found = warnings.map(({ code, at }) => `${code} ${at.line}`)
    assert.deepEqual(
      found,
      lines.map((line) => `AOT_PREFIX_NOT_STATIC ${line}`),
    )
  }
})

test('values that the build cannot know are refused, with the reason', (t) => {
  const shop = createWorkshop(t, 'cli/empty', packages)
  const reasons: Readonly<Record<string, string>> = {
    'new (class extends Model {})().schema()': 'it is set by a class that is not in the source',
    '{ const: now() }': 'it depends on the clock',
    '{ const: token() }': 'it is a random number',
    '{ const: mode() }': 'it depends on the environment variable `MODE`',
    '{ const: List.from([1]).total?.() }': 'it is a list of the class `List`',
    '{ const: new Proxy({ a: 1 }, {}).a }': 'the build cannot evaluate `Proxy`',
  }
  shop.writeApp(`import framework from 'framework/5'
import { Model } from 'orm'
import { mode, now, token } from 'tools'
class List extends Array { total() { return 1 } }
const app = framework()
${Object.keys(reasons)
  .map((body, i) => `app.post('/${i}', { schema: { body: ${body} } }, async () => '')`)
  .join('\n')}
export default app
`)
  const said = shop.fail('build', 'app.js', '--no-boot')
  for (const reason of Object.values(reasons))
    assert.ok(said.includes(reason), `${reason}: ${said}`)
})

test('the build, the start and the deployment load the same files of a package', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const files = { 'module-sync': 'sync.mjs', own: 'own.mjs', default: 'default.mjs' }
  for (const [name, exports] of Object.entries({
    'by-node': { 'module-sync': './sync.mjs', default: './default.mjs' },
    'by-flag': { own: './own.mjs', default: './default.mjs' },
  })) {
    const folder = `node_modules/${name}`
    shop.write(`${folder}/package.json`, JSON.stringify({ name, exports }))
    for (const file of Object.values(files))
      shop.write(`${folder}/${file}`, `export const file = '${file}'`)
  }
  shop.write(
    'package.json',
    '{ "type": "module", "scripts": { "start": "node --conditions=own app.js" } }',
  )
  shop.write('a b.mjs', "export const text = 'a b'")
  shop.writeApp(`import framework from 'framework/5'
import * as byNode from 'by-node'
import * as byFlag from 'by-flag'
import { text } from './a%20b.mjs'
const app = framework()
app.post('/', { schema: { body: { enum: [byNode.file, byFlag.file, text] } } }, async () => '')
const { body } = await app.inject({ method: 'POST', url: '/', payload: '""', headers: { 'content-type': 'application/json' } })
console.log(byNode.file, byFlag.file, body)
// The deployment would serve.
setTimeout(() => process.exit(), 500)
export default app
`)
  shop.succeed('build', 'app.js')
  const said = shop.start('--conditions=own', 'app.js')
  assert.match(said.stdout, /^(?:sync|default)\.mjs own\.mjs .*must be equal/, said.stderr)
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'deployed')
  assert.equal(shop.node('deployed/index.js').stdout.split('\n')[0], said.stdout.trim())
})
