/** The same answers by node:http alone, without validation: what the runtime's own work is compared with. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'

interface Order {
  readonly items: readonly { readonly quantity: number; readonly price: number }[]
}

const bookPath = /^\/shelves\/(\d+)\/books\/(\d+)(?:\?(.*))?$/

export function createRawServer(): Server {
  return createServer(respond)
}

const respond: RequestListener = (request, response) => {
  const url = request.url as string
  if (url === '/') return answer(response, 200, { hello: 'world' })
  if (url === '/orders') return takeOrder(request, response)
  const book = bookPath.exec(url)
  if (book) {
    const query = new URLSearchParams(book[3])
    const page = Number(query.get('page') ?? 1)
    const full = query.get('full') === 'true'
    return answer(response, 200, { shelf: Number(book[1]), book: Number(book[2]), page, full })
  }
  const message = `Route ${request.method}:${url} not found`
  answer(response, 404, { message, error: 'Not Found', statusCode: 404 })
}

function takeOrder(request: IncomingMessage, response: ServerResponse): void {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (text += part))
  request.on('end', () => {
    const order = JSON.parse(text) as Order
    const total = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
    answer(response, 200, { id: 7, total, order })
  })
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
