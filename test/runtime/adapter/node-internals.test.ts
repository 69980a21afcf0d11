/** The option that turns off the use of Node's internals, and the releases that they are used on. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import framework, { type FastifyServerOptions } from 'framework'
import { fastClasses, testedNodes } from '../../../runtime/adapter/node-internals/index.ts'

async function classOfResponses(options: FastifyServerOptions): Promise<object> {
  const app = framework(options)
  let prototype: object = {}
  app.get('/', async (_request, reply) => {
    prototype = Object.getPrototypeOf(reply.raw) as object
    return 'text'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  assert.equal(await (await fetch(url)).text(), 'text')
  await app.close()
  return prototype
}

test('`useNodeInternals: false` uses the class of `node:http`', async () => {
  const { prototype } = http.ServerResponse
  assert.equal(await classOfResponses({ useNodeInternals: false }), prototype)
  assert.notEqual(await classOfResponses({}), prototype)
  assert.notEqual(await classOfResponses({ useNodeInternals: true }), prototype)
})

test('Node’s internals are only used on the releases that are tested', () => {
  const versions = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor
  const on = (fake: Readonly<Record<string, string>>): boolean => {
    Object.defineProperty(process, 'versions', { ...versions, value: fake })
    try {
      return 'ServerResponse' in fastClasses(http, undefined)
    } finally {
      Object.defineProperty(process, 'versions', versions)
    }
  }
  for (const major of testedNodes) assert.ok(on({ node: `${major}.1.0` }), major)
  for (const node of ['18.20.0', '21.0.0', '28.0.0', '2.0.0']) assert.ok(!on({ node }), node)
  assert.ok(!on({ node: '24.0.0', bun: '1.4.5' }))
  assert.ok(!on({ node: '24.0.0', deno: '2.9.6' }))
  assert.ok(!on({}))
})
