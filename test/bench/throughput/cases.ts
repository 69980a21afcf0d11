/** What is asked of every contestant. */
export interface Case {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What each contestant has to answer: a wrong answer has no speed. */
  readonly status: number
  readonly answer: unknown
}

const order = {
  customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  items: [
    { sku: 'BK-0001', quantity: 1, price: 12.5 },
    { sku: 'BK-0002', quantity: 3, price: 7 },
    { sku: 'PN-0100', quantity: 10, price: 0.8 },
  ],
  express: true,
  note: 'Leave it with the neighbours, please.',
}

export const cases: readonly Case[] = [
  { name: 'hello', method: 'GET', path: '/', status: 200, answer: { hello: 'world' } },
  {
    name: 'params and query',
    method: 'GET',
    path: '/shelves/12/books/345?page=3&full=true',
    status: 200,
    answer: { shelf: 12, book: 345, page: 3, full: true },
  },
  {
    name: 'body in and out',
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
    status: 200,
    answer: { id: 7, total: 41.5, order },
  },
  {
    name: 'not found',
    method: 'GET',
    path: '/nowhere',
    status: 404,
    answer: { message: 'Route GET:/nowhere not found', error: 'Not Found', statusCode: 404 },
  },
]
