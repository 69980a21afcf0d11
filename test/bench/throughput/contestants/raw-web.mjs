/** The same answers by the platform's `Request` and `Response` alone, without validation. */
import { bookAt, done, isMember, later, notFound, takeNote, takeOrder, userOf } from './answers.mjs'

const part = new TextEncoder().encode('All happy families are alike. '.repeat(100))
const type = { 'content-type': 'application/json; charset=utf-8' }

export default {
  fetch(request) {
    const { method, url } = request
    const path = url.slice(url.indexOf('/', 8))
    if (path === '/') return answer(200, { hello: 'world' })
    if (path === '/notes') return request.json().then((note) => answer(...takeNote(note)))
    if (path === '/orders') return request.json().then((order) => answer(200, takeOrder(order)))
    if (path === '/hooked') return answerHooked()
    if (path === '/account') return answerMember(request)
    if (path === '/report') {
      let count = 0
      const body = new ReadableStream({
        pull: (to) => (count++ < 8 ? to.enqueue(part) : to.close()),
      })
      return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    }
    const book = bookAt(path)
    return book ? answer(200, book) : answer(404, notFound(method, path))
  },
}

async function answerHooked() {
  for (let i = 0; i < 5; i++) {
    done()
    await later()
  }
  return answer(200, { hello: 'world' })
}

function answerMember({ headers }) {
  if (!isMember(headers.get('authorization') ?? '')) return answer(401, {})
  const cookie = 'seen=yes; Path=/; HttpOnly'
  return answer(200, userOf(headers.get('cookie')), { 'set-cookie': cookie })
}

function answer(status, value, more) {
  return new Response(JSON.stringify(value), {
    status,
    headers: more ? { ...type, ...more } : type,
  })
}
