/** The same application as users of Hono write it. */
import { tbValidator } from '@hono/typebox-validator'
import { FormatRegistry, Type } from '@sinclair/typebox'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { getCookie, setCookie } from 'hono/cookie'
import { Readable } from 'node:stream'
import { createReport } from './report.mjs'
import { createSchemas } from './schemas.mjs'

FormatRegistry.Set('email', (text) => /^[^@\s]+@[^@\s]+$/.test(text))
const number = Type.String({ pattern: '^[0-9]+$' })
const type = { 'content-type': 'application/json; charset=utf-8' }

const { note, order: orderSchema } = createSchemas(Type)
const noteSchema = Type.Object(note)

const app = new Hono()

app.get('/', (c) => c.json({ hello: 'world' }, 200, type))

app.get(
  '/shelves/:shelf/books/:book',
  tbValidator('param', Type.Object({ shelf: number, book: number })),
  tbValidator(
    'query',
    Type.Object({
      page: Type.Optional(number),
      full: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
    }),
  ),
  (c) => {
    const { shelf, book } = c.req.valid('param')
    const { page = 1, full } = c.req.valid('query')
    const answer = {
      shelf: Number(shelf),
      book: Number(book),
      page: Number(page),
      full: full === 'true',
    }
    return c.json(answer, 200, type)
  },
)

app.post(
  '/notes',
  tbValidator('json', noteSchema, (result, c) => {
    if (result.success) return undefined
    const error = {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: `body${result.errors[0].path} must be integer`,
    }
    return c.json(error, 400, type)
  }),
  (c) => {
    const { title, priority, done } = c.req.valid('json')
    return c.json({ id: 7, title, priority, done }, 200, type)
  },
)

app.post('/orders', tbValidator('json', orderSchema), (c) => {
  const order = c.req.valid('json')
  const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return c.json({ id: 7, total, order }, 200, type)
})

app.get('/report', (c) =>
  c.body(Readable.toWeb(createReport()), 200, { 'content-type': 'text/plain; charset=utf-8' }),
)

for (let i = 0; i < 10; i++) app.use('/hooked', async (_c, next) => next())
app.get('/hooked', (c) => c.json({ hello: 'world' }, 200, type))

app.use('/account', bearerAuth({ token: 'a-key-of-the-tests' }))
app.get('/account', (c) => {
  const user = getCookie(c, 'session')
  setCookie(c, 'seen', 'yes', { path: '/', httpOnly: true })
  return c.json({ user }, 200, type)
})

app.notFound((c) => {
  const message = `Route ${c.req.method}:${c.req.path} not found`
  return c.json({ message, error: 'Not Found', statusCode: 404 }, 404, type)
})

export default app
