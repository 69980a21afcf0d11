/** `framework deploy` for platforms that call functions: how entries are started, without sockets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

/** Prints the answer of the deployed handler for `/`, and the number of listening servers. */
const ask = `
import { handler } from './.framework/deploy/lambda/index.js'
const http = { method: 'GET', sourceIp: '192.0.2.7' }
const event = { version: '2.0', rawPath: '/', headers: {}, requestContext: { http } }
const { body } = await handler(event, {})
const open = process.getActiveResourcesInfo().filter((name) => name.includes('Server'))
console.log(body, open.length)
`

function deployedAnswer(shop: Workshop): string {
  const stdout = shop.succeed('deploy', 'app.js', '--target', 'lambda')
  assert.match(
    stdout,
    /^Pack and upload it: \(cd \.framework\/deploy\/lambda && zip .* -x '\*\.map'\)/m,
  )
  shop.write('ask.js', ask)
  const done = shop.node('--disallow-code-generation-from-strings', 'ask.js')
  return done.stdout.trimEnd() || done.stderr
}

const routes = `
const booted = []
const app = fastify()
app.addHook('onReady', async () => void booted.push('ready'))
app.get('/', async ({ awsLambda }) => [...booted, awsLambda.event.version])
`

for (const [title, start] of [
  ['listens and waits', `console.error(await app.listen({ port: 3000 }))`],
  ['listens with a callback', `app.listen({ port: 3000 }, (error) => { if (error) throw error })`],
  ['listens when it has booted', `await app.ready(); await app.listen({ port: 3000 })`],
  ['exports its application', `export { app }`],
] as const) {
  test(`an entry that ${title} is booted before the first event, and opens no socket`, (t) => {
    const shop = createWorkshop(t, 'cli/empty').writeApp(
      `import fastify from 'fastify'\n${routes}${start}\n`,
    )
    assert.equal(deployedAnswer(shop), '["ready","2.0"] 0')
  })
}

test('an entry with a handler of its own keeps it', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import fastify from 'fastify'
export default function shop() {
  throw new Error('Nobody calls it')
}
const app = fastify()
app.get('/', async () => 'own')
export const handler = async () => ({ body: 'by hand' })
`)
  assert.equal(deployedAnswer(shop), 'by hand 0')
})

test('an entry in CommonJS creates its handler by `framework/lambda`', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('package.json', '{ "private": true, "type": "commonjs" }')
  shop.writeApp(`const fastify = require('fastify')
const { toLambda } = require('framework/lambda')
const { toFetch } = require('framework/fetch')
const app = fastify()
app.get('/', async ({ awsLambda }) => [typeof toFetch, awsLambda.context.callbackWaitsForEmptyEventLoop])
exports.handler = toLambda(app, { callbackWaitsForEmptyEventLoop: false })
`)
  shop.write('ask.mjs', ask)
  shop.succeed('deploy', 'app.js', '--target', 'lambda')
  assert.equal(shop.node('ask.mjs').stdout, '["function",false] 0\n')
})

test('an application that does not boot fails while the function starts', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import fastify from 'fastify'
const app = fastify()
app.addHook('onReady', async () => { throw new Error('It does not boot') })
app.listen({ port: 3000 }, () => undefined)
`)
  assert.match(deployedAnswer(shop), /It does not boot/)
})

test("the output for Vercel is kept out of Git, as Vercel's own command does", (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    `import fastify from 'fastify'\n${routes}export { app }`,
  )
  const deploy = (): string => shop.framework('deploy', 'app.js', '--target', 'vercel').stdout
  // Nobody keeps it.
  assert.doesNotMatch(deploy(), /gitignore/)
  shop.write('.gitignore', 'node_modules/')
  assert.match(deploy(), /^Added \.vercel to \.gitignore$/m)
  assert.equal(shop.read('.gitignore'), 'node_modules/\n.vercel\n')
  assert.doesNotMatch(deploy(), /gitignore/)
  assert.equal(shop.read('.gitignore'), 'node_modules/\n.vercel\n')
})

test("a deployment is written even where the cache can't be", (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    `import fastify from 'fastify'\n${routes}export { app }`,
  )
  shop.write('node_modules/.cache', 'a file, in which no folder can be made')
  assert.equal(deployedAnswer(shop), '["ready","2.0"] 0')
})
