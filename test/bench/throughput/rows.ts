/** The requests that every contestant gets. */
export interface Row {
  readonly name: string
  /** Environment variables of the processes for this row. Rows with them are measured on Node only. */
  readonly env?: Readonly<Record<string, string>>
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Further paths with the same answer, which get requests in turn. */
  readonly otherPaths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The required answer of each contestant: the speed of a wrong answer means nothing. */
  readonly status: number
  readonly contentType: string
  /** The expected body: a text, or the parsed JSON. */
  readonly answer: unknown
}

const jsonType = 'application/json; charset=utf-8'

const order = {
  customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  items: [
    { sku: 'BK-0001', quantity: 1, price: 12.5 },
    { sku: 'BK-0002', quantity: 3, price: 7 },
    { sku: 'PN-0100', quantity: 10, price: 0.8 },
    { sku: 'PN-0101', quantity: 2, price: 1.25 },
    { sku: 'IN-0007', quantity: 1, price: 4 },
    { sku: 'PA-0500', quantity: 5, price: 3.5 },
  ],
  express: true,
  note: 'Leave it with the neighbours, please.',
}

const get = { method: 'GET', status: 200, contentType: jsonType } as const
const post = { ...get, method: 'POST', headers: { 'content-type': 'application/json' } } as const
const hello = { ...get, path: '/', answer: { hello: 'world' } } as const

export const rows: readonly Row[] = [
  { name: 'hello', ...hello },
  {
    name: 'params and query',
    ...get,
    path: '/shelves/12/books/345?page=3&full=true',
    answer: { shelf: 12, book: 345, page: 3, full: true },
  },
  {
    name: 'large body',
    ...post,
    path: '/orders',
    body: JSON.stringify(order),
    answer: { id: 7, total: 65.5, order },
  },
  {
    name: 'error answer',
    ...post,
    path: '/notes',
    body: JSON.stringify({ title: 'Buy milk', priority: 'high', done: false }),
    status: 400,
    answer: {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: 'body/priority must be integer',
    },
  },
  {
    name: 'not found',
    ...get,
    path: '/nowhere',
    status: 404,
    answer: { message: 'Route GET:/nowhere not found', error: 'Not Found', statusCode: 404 },
  },
  { name: 'ten hooks', ...hello, path: '/hooked' },
  {
    name: 'cookies and auth',
    ...get,
    path: '/account',
    headers: { authorization: 'Bearer a-key-of-the-tests', cookie: 'theme=dark; session=ada' },
    answer: { user: 'ada' },
  },
  { name: 'logging', env: { LOG: 'yes' }, ...hello },
  {
    name: 'stream',
    ...get,
    path: '/report',
    contentType: 'text/plain; charset=utf-8',
    answer: 'All happy families are alike. '.repeat(100).repeat(8),
  },
]
