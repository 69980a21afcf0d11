import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

/** `x` is text in a description or a part of the schema itself. */
function application(schema: string): string {
  return `import framework from 'framework'
const app = framework()
app.addSchema({ $id: 'shared', type: 'string', title: process.env.TEXT, maxLength: 3 })
app.get('/', {
  schema: {
    querystring: { a: { type: 'integer', ${schema} }, b: { $ref: 'shared#' } },
    response: { 200: { type: 'object', description: process.env.TEXT, properties: { a: { type: 'integer' } } } },
  },
}, async ({ query }) => query)
export default app
`
}

const main = `process.env.TEXT = 'in production'
const { default: app } = await import('./app.js')
for (const url of ['/?a=1&b=abc', '/?a=x', '/?b=long']) {
  const { statusCode, body } = await app.inject(url)
  console.log(statusCode, body)
}
`

test('texts may depend on where the application runs', async (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    application('description: process.env.TEXT, title: process.env.TEXT'),
  )
  shop.write('main.js', main)
  shop.succeed('build', 'app.js')
  const run = (): unknown => shop.start('main.js')
  assert.deepEqual(run(), {
    status: 0,
    stdout: `200 {"a":1}
400 {"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"querystring/a must be integer"}
400 {"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"querystring/b must NOT have more than 3 characters"}
`,
    stderr: '',
  })
  // Anything else is still noticed.
  shop.edit('app.js', 'maxLength: 3', 'maxLength: 4')
  const { status, stderr } = run() as ReturnType<typeof shop.node>
  assert.equal(status, 1)
  assert.match(stderr, /FST_ERR_AOT_FUNCTION_MISSING/)
})

test('a package that prints while it computes a schema depends on nothing', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const log = (reads: string): string =>
    `exports.make = (n) => { console.time('made'); console.warn('%o', { n }); console.timeEnd('made'); return { type: 'integer', maximum: n + ${reads} } }\n`
  shop.write('node_modules/loud/index.js', log('1'))
  shop.writeApp(`import framework from 'framework'
import { make } from 'loud'
export const app = framework()
app.get('/', { schema: { querystring: { type: 'object', properties: { n: make(1) } } } }, async () => '')
`)
  shop.succeed('build', 'app.js', '--no-boot')
  shop.write('node_modules/loud/index.js', log('Number(process.env.FORCE_COLOR ?? 1)'))
  const stderr = shop.fail('build', 'app.js', '--no-boot')
  assert.match(stderr, /FORCE_COLOR/)
})

test('a path that cannot be read as a file is reported where the application reads it', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  spawnSync('mkfifo', [join(shop.folder, 'pipe')])
  for (const [file, words] of [
    ['.', /is not a file at build time/],
    ['pipe', /is not a file at build time/],
    ['a'.repeat(300), /does not exist at build time/],
    ['a%00b', /does not exist at build time/],
    ['app.js', /is read in another encoding than UTF-8/],
  ] as const) {
    shop.writeApp(`import framework from 'framework'
import { readFileSync } from 'node:fs'
export const app = framework()
const read = (name) => { try { return readFileSync(new URL(name, import.meta.url), 'latin1') } catch { return 'ü' } }
app.get('/', { schema: { querystring: { type: 'object', required: [read('./${file}')] } } }, async () => '')
`)
    const stderr = shop.fail('build', 'app.js', '--no-boot')
    assert.match(stderr, /AOT_SCHEMA_NOT_STATIC/)
    assert.match(stderr, words)
  }
})

test('compiles each route for every shared schema and compiler that the environment selects', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  shop.install('fastify')
  const source = `
    import framework from 'framework'
    const app = framework()
    const { TIER, STRICT } = process.env
    const item = (maxLength) => ({ $id: 'item', type: 'object', properties: { a: { type: 'string', maxLength } } })
    if (TIER === 'small') app.addSchema(item(1))
    else app.addSchema(item(3))
    app.addSchema({
      $id: 'list', type: 'array', items: { $ref: 'item#' }, maxItems: STRICT ? 1 : 2,
      ...(TIER === 'small' ? { minItems: 1 } : {})
    })
    app.post('/item', { schema: { body: { $ref: 'item#' } } }, async () => 'ok')
    app.register(async (child) => {
      child.addSchema({ $id: 'own', type: STRICT ? 'integer' : 'string' })
      child.post('/list', { schema: { body: { $ref: 'list#' }, querystring: { q: { $ref: 'own#' } } } }, async () => 'ok')
      if (STRICT) child.post('/strict', { schema: { body: { $ref: 'list#/items' } } }, async () => 'ok')
    })
    app.register(async (child) => {
      if (STRICT) child.setValidatorCompiler(() => () => true)
      const headers = { type: 'object', properties: { 'X-Count': { type: 'integer' } } }
      child.post('/other', { schema: { body: { type: 'object', required: ['b'] }, headers } }, async () => 'ok')
      const validatorCompiler = TIER === 'small' ? () => () => true : undefined
      child.post('/route', { schema: { body: { type: 'object', required: ['b'] } }, validatorCompiler }, async () => 'ok')
    })
    export default app`
  shop.writeApp(source)
  shop.write('fastify/app.js', source.replace("'framework'", "'fastify'"))
  const ask = `
    for (const one of process.argv[2].split(',').filter(Boolean)) process.env[one.split('=')[0]] = one.split('=')[1]
    const { default: app } = await import('./app.js')
    for (const url of ['/item', '/list?q=1', '/list?q=x', '/strict', '/other', '/route'])
      for (const payload of [{ a: 'xx' }, { a: 'xxxx' }, [], [{ a: 'x' }], [{ a: 'x' }, { a: 'x' }], [{ a: 'x' }, { a: 'x' }, {}]])
        console.log(url, (await app.inject({ method: 'POST', url, payload })).body)`
  shop.write('ask.js', ask)
  shop.write('fastify/ask.js', ask)
  assert.match(shop.succeed('build', 'app.js', '--verify'), /^root {2}adds item, list$/m)
  const answers = ['', 'TIER=small', 'STRICT=1', 'TIER=small,STRICT=1'].map((environment) => {
    const { stdout, stderr } = shop.start('ask.js', environment)
    assert.equal(stdout, shop.node('fastify/ask.js', environment).stdout, stderr)
    return stdout
  })
  assert.equal(new Set(answers).size, 4)
})
