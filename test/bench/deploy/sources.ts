/** The programs that deployments are compared with; each listens on `PORT` and prints where. */

import type { SampleRequest } from '../sample-request.ts'

const listening = 'process.stdout.write(`Listening at http://127.0.0.1:${port}\\n`)'

/** A server without a framework. `import` of node:http would cost it 25 ms more since Node 22. */
export function rawSource({ status, answer }: SampleRequest): string {
  const [id] = /\d+/.exec(answer) ?? []
  return `const { createServer } = process.getBuiltinModule('node:http')
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part) => { text += part }).on('end', () => {
    const body = JSON.stringify({ id: ${id}, ...JSON.parse(text) })
    response.writeHead(${status}, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  const { port } = server.address()
  ${listening}
})
`
}

/** Starts what \`build\` of a file makes. */
export function mainSource(file: string): string {
  return `import { build } from ${JSON.stringify(file)}
const app = build()
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).then(() => {
  const { port } = app.server.address()
  ${listening}
})
`
}

/** The routes of the other contestants, as Hono's users write them. Hono serializes with `JSON.stringify`. */
export function honoSource(count: number): string {
  const extras = [
    '',
    ', price: Type.Optional(money)',
    ', root: Type.Optional(tree)',
    `, owner: Type.Optional(person), since: Type.Optional(Type.String({ format: 'date-time' }))`,
    `, kind: Type.Optional(Type.Union([Type.Integer(), Type.Union([Type.Literal('a'), Type.Literal('b')])])), flags: Type.Optional(Type.Record(Type.String(), Type.Boolean()))`,
  ]
  const routes = Array.from(
    { length: count },
    (_, i) => `app.post('/r${i}/:id',
  tbValidator('param', Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) })),
  tbValidator('query', Type.Object({ page: Type.Optional(Type.String({ pattern: '^[0-9]+$' })), tags: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])) })),
  tbValidator('json', Type.Object({ name: Type.String({ minLength: 1, maxLength: ${40 + i}, default: 'name${i}' }), address, tags: Type.Optional(Type.Array(Type.String(), { maxItems: 9 }))${extras[i % extras.length]} })),
  (c) => c.json({ id: Number(c.req.valid('param').id), ...c.req.valid('json') }),
)`,
  )
  return `import { serve } from '@hono/node-server'
import { tbValidator } from '@hono/typebox-validator'
import { FormatRegistry, Type } from '@sinclair/typebox'
import { Hono } from 'hono'

FormatRegistry.Set('email', (text) => /^[^@\\s]+@[^@\\s]+$/.test(text))
FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)))
const app = new Hono()
const address = Type.Object({ street: Type.String(), city: Type.String({ maxLength: 80 }), zip: Type.Optional(Type.String({ pattern: '^[0-9]{5}$' })) })
const money = Type.Object({ amount: Type.Number({ minimum: 0 }), currency: Type.Union([Type.Literal('EUR'), Type.Literal('USD')]) })
const tree = Type.Recursive((self) => Type.Object({ label: Type.Optional(Type.String()), children: Type.Optional(Type.Array(self)) }))
const person = Type.Object({ email: Type.String({ format: 'email' }), home: Type.Optional(address) })
${routes.join('\n')}
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, ({ port }) => {
  ${listening}
})
`
}
