/** Evaluations that wait for something only the running application has end soon, and report the cause. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanPackage } from '../../support/scan-package.ts'

/** Each call waits ten seconds for a connection, as clients of databases do. */
const client = `
export const connected = () => new Promise((resolve) => setTimeout(resolve, 10000))
export const find = async (name) => { await connected(); return [{ name }] }
export const soon = async (maxLength) => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { type: 'string', maxLength }
}
export const fire = () => { find('nobody waits for it') }
`

test('many calls that wait for a database', { timeout: 60_000 }, async () => {
  const slow: string[] = []
  const start = performance.now()
  const { schemas, diagnostics } = await scanPackage({
    tool: () => client,
    app: `import { connected, find, fire, soon } from 'tool'
      await connected()
      fire()
      const users = await find('users')
      app.get('/users', { schema: { querystring: { enum: users.map((user) => user.name) } } }, () => {})
      const books = await find('books')
      app.get('/books', { schema: { querystring: { enum: books } } }, () => {})
      app.get('/soon', { schema: { querystring: await soon(3) } }, () => {})
      const others = await find('others')
      if (others.length === 0) app.get('/others', () => {})`,
    onSlow: (name) => slow.push(name),
  })
  const seconds = (performance.now() - start) / 1000
  assert.ok(seconds < 20, `${seconds} s`)
  assert.deepEqual(slow.slice(0, 1), ["`await find('users')` (app.js:6:21)"])
  assert.deepEqual(
    diagnostics.map((message) => / application: (.*) Move it/.exec(message)?.[1]),
    [
      "`await find('users')` (app.js:6:21) never settles.",
      "`await find('books')` (app.js:8:21) never settles.",
    ],
  )
  assert.deepEqual(schemas.get('/soon'), { querystring: { type: 'string', maxLength: 3 } })
})

test('a package that is never loaded', { timeout: 60_000 }, async () => {
  const { diagnostics } = await scanPackage({
    tool: () => 'await new Promise((resolve) => setTimeout(resolve, 10000))\nexport const one = {}',
    app: `import { one } from 'tool'
      app.get('/', { schema: { querystring: one } }, () => {})`,
  })
  const [message = ''] = diagnostics
  assert.match(message, /the package "tool" cannot be loaded: its top-level await never settles\./)
})
