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
  console.log('Listening at http://127.0.0.1:' + port)
})
`
}
