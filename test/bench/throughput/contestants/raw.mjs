/** The same answers by node:http alone, without validation: what the work of a framework is compared with. */
import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createReport } from './report.mjs'

const bookPath = /^\/shelves\/(\d+)\/books\/(\d+)(?:\?(.*))?$/
const key = Buffer.from('Bearer a-key-of-the-tests')

const done = () => {}
const later = async () => {}

export default createServer((request, response) => {
  const { method, url } = request
  if (url === '/') return answer(response, 200, { hello: 'world' })
  if (url === '/notes') return read(request, (note) => takeNote(note, response))
  if (url === '/orders') return read(request, (order) => takeOrder(order, response))
  if (url === '/hooked') return answerHooked(response)
  if (url === '/account') return answerMember(request, response)
  if (url === '/report') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    return createReport().pipe(response)
  }
  const book = bookPath.exec(url)
  if (book) {
    const query = new URLSearchParams(book[3])
    const page = Number(query.get('page') ?? 1)
    const full = query.get('full') === 'true'
    return answer(response, 200, { shelf: Number(book[1]), book: Number(book[2]), page, full })
  }
  const message = `Route ${method}:${url} not found`
  return answer(response, 404, { message, error: 'Not Found', statusCode: 404 })
})

function takeNote({ title, priority, done }, response) {
  if (typeof priority === 'number') return answer(response, 200, { id: 7, title, priority, done })
  return answer(response, 400, {
    statusCode: 400,
    code: 'FST_ERR_VALIDATION',
    error: 'Bad Request',
    message: 'body/priority must be integer',
  })
}

function takeOrder(order, response) {
  const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  answer(response, 200, { id: 7, total, order })
}

async function answerHooked(response) {
  response.on('finish', done)
  for (let i = 0; i < 4; i++) {
    done()
    await later()
  }
  done()
  answer(response, 200, { hello: 'world' })
}

function answerMember({ headers }, response) {
  const given = Buffer.from(headers.authorization ?? '')
  if (given.length !== key.length || !timingSafeEqual(given, key)) return answer(response, 401, {})
  const cookies = Object.fromEntries(headers.cookie.split('; ').map((one) => one.split('=')))
  response.setHeader('set-cookie', 'seen=yes; Path=/; HttpOnly')
  return answer(response, 200, { user: cookies.session })
}

function read(request, use) {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part) => (text += part))
  request.on('end', () => use(JSON.parse(text)))
}

function answer(response, status, value) {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
