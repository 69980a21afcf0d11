import assert from 'node:assert/strict'
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
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('app.js', application('description: process.env.TEXT, title: process.env.TEXT'))
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
