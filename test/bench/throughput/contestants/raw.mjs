/** The same answers by node:http alone, without validation: what the work of a framework is compared with. */
import { createServer } from 'node:http'
import { bookAt, done, isMember, later, notFound, takeNote, takeOrder, userOf } from './answers.mjs'
import { createReport } from './report.mjs'

export default createServer((request, response) => {
  const { method, url } = request
  if (url === '/') return answer(response, 200, { hello: 'world' })
  if (url === '/notes') return read(request, (note) => answer(response, ...takeNote(note)))
  if (url === '/orders') return read(request, (order) => answer(response, 200, takeOrder(order)))
  if (url === '/hooked') return answerHooked(response)
  if (url === '/account') return answerMember(request, response)
  if (url === '/report') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    return createReport().pipe(response)
  }
  const book = bookAt(url)
  if (book) return answer(response, 200, book)
  return answer(response, 404, notFound(method, url))
})

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
  if (!isMember(headers.authorization)) return answer(response, 401, {})
  response.setHeader('set-cookie', 'seen=yes; Path=/; HttpOnly')
  return answer(response, 200, userOf(headers.cookie))
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
