/** The same application as users of Elysia write it. It validates and serializes by the same kind of schemas as the framework. */
import { Elysia, t } from 'elysia'
import { createSchemas } from './schemas.mjs'

const type = 'application/json; charset=utf-8'
const greeting = { response: t.Object({ hello: t.String() }) }
const part = new TextEncoder().encode('All happy families are alike. '.repeat(100))
const book = { shelf: t.Integer(), book: t.Integer() }
const { note, order } = createSchemas(t)

const hooked = new Elysia()
for (let i = 0; i < 10; i++) hooked.onBeforeHandle(async () => {})
hooked.get('/hooked', () => ({ hello: 'world' }), greeting)

const app = new Elysia()
  .headers({ 'content-type': type })
  .onError(({ code, error, request, set }) => {
    set.headers['content-type'] = type
    if (code === 'NOT_FOUND') {
      const { pathname } = new URL(request.url)
      const message = `Route ${request.method}:${pathname} not found`
      return { message, error: 'Not Found', statusCode: 404 }
    }
    set.status = 400
    const message = `body${error.all?.[0]?.path ?? ''} must be integer`
    return { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message }
  })
  .get('/', () => ({ hello: 'world' }), greeting)
  .get(
    '/shelves/:shelf/books/:book',
    ({ params, query }) => ({ ...params, page: query.page, full: query.full }),
    {
      params: t.Object(book),
      query: t.Object({ page: t.Integer({ default: 1 }), full: t.Optional(t.Boolean()) }),
      response: t.Object({ ...book, page: t.Integer(), full: t.Optional(t.Boolean()) }),
    },
  )
  .post('/notes', ({ body }) => ({ id: 7, ...body }), {
    body: t.Object(note),
    response: t.Object({ id: t.Integer(), ...note }),
  })
  .post(
    '/orders',
    ({ body }) => {
      const total = body.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
      return { id: 7, total, order: body }
    },
    { body: order, response: t.Object({ id: t.Integer(), total: t.Number(), order }) },
  )
  .get('/report', () => {
    let count = 0
    const pull = (to) => (count++ < 8 ? to.enqueue(part) : to.close())
    return new Response(new ReadableStream({ pull }), {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  })
  .use(hooked)
  .get(
    '/account',
    ({ headers, cookie: { session, seen }, status }) => {
      if (headers.authorization !== 'Bearer a-key-of-the-tests') return status(401)
      seen.set({ value: 'yes', path: '/', httpOnly: true })
      return { user: session.value }
    },
    { response: t.Object({ user: t.String() }) },
  )

export default app
