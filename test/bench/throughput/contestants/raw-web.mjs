/** The same answers by the platform's `Request` and `Response` alone, without validation. */
import { timingSafeEqual } from 'node:crypto'

const bookPath = /^\/shelves\/(\d+)\/books\/(\d+)(?:\?(.*))?$/
const key = Buffer.from('Bearer a-key-of-the-tests')
const part = new TextEncoder().encode('All happy families are alike. '.repeat(100))
const type = { 'content-type': 'application/json; charset=utf-8' }

const done = () => {}
const later = async () => {}

export default {
  fetch(request) {
    const { method, url } = request
    const path = url.slice(url.indexOf('/', 8))
    if (path === '/') return answer(200, { hello: 'world' })
    if (path === '/notes') return takeNote(request)
    if (path === '/orders') return takeOrder(request)
    if (path === '/hooked') return answerHooked()
    if (path === '/account') return answerMember(request)
    if (path === '/report') {
      let count = 0
      const body = new ReadableStream({
        pull: (to) => (count++ < 8 ? to.enqueue(part) : to.close()),
      })
      return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    }
    const book = bookPath.exec(path)
    if (book) {
      const query = new URLSearchParams(book[3])
      const page = Number(query.get('page') ?? 1)
      const full = query.get('full') === 'true'
      return answer(200, { shelf: Number(book[1]), book: Number(book[2]), page, full })
    }
    const message = `Route ${method}:${path} not found`
    return answer(404, { message, error: 'Not Found', statusCode: 404 })
  },
}

async function takeNote(request) {
  const { title, priority, done } = await request.json()
  if (typeof priority === 'number') return answer(200, { id: 7, title, priority, done })
  return answer(400, {
    statusCode: 400,
    code: 'FST_ERR_VALIDATION',
    error: 'Bad Request',
    message: 'body/priority must be integer',
  })
}

async function takeOrder(request) {
  const order = await request.json()
  const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return answer(200, { id: 7, total, order })
}

async function answerHooked() {
  for (let i = 0; i < 5; i++) {
    done()
    await later()
  }
  return answer(200, { hello: 'world' })
}

function answerMember({ headers }) {
  const given = Buffer.from(headers.get('authorization') ?? '')
  if (given.length !== key.length || !timingSafeEqual(given, key)) return answer(401, {})
  const pairs = headers.get('cookie').split('; ')
  const cookies = Object.fromEntries(pairs.map((one) => one.split('=')))
  return answer(200, { user: cookies.session }, { 'set-cookie': 'seen=yes; Path=/; HttpOnly' })
}

function answer(status, value, more) {
  return new Response(JSON.stringify(value), {
    status,
    headers: more ? { ...type, ...more } : type,
  })
}
