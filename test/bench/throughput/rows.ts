/** The requests that every contestant gets. */
export interface Row {
  readonly name: string
  /** The program that gets the request: the application with its logger on is a program of its own. */
  readonly program: 'application' | 'logging'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The answer that is required of each contestant: a wrong answer has no speed. */
  readonly status: number
  readonly contentType: string
  /** A text, or what its JSON stands for. */
  readonly answer: unknown
}

const jsonType = 'application/json; charset=utf-8'
const json = { 'content-type': 'application/json' }

const note = { title: 'Buy milk', priority: 3, done: false }
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

const hello = {
  method: 'GET',
  path: '/',
  status: 200,
  contentType: jsonType,
  answer: { hello: 'world' },
} as const

export const rows: readonly Row[] = [
  { name: 'hello', program: 'application', ...hello },
  {
    name: 'params and query',
    program: 'application',
    method: 'GET',
    path: '/shelves/12/books/345?page=3&full=true',
    status: 200,
    contentType: jsonType,
    answer: { shelf: 12, book: 345, page: 3, full: true },
  },
  {
    name: 'small body',
    program: 'application',
    method: 'POST',
    path: '/notes',
    headers: json,
    body: JSON.stringify(note),
    status: 200,
    contentType: jsonType,
    answer: { id: 7, ...note },
  },
  {
    name: 'large body',
    program: 'application',
    method: 'POST',
    path: '/orders',
    headers: json,
    body: JSON.stringify(order),
    status: 200,
    contentType: jsonType,
    answer: { id: 7, total: 65.5, order },
  },
  {
    name: 'error answer',
    program: 'application',
    method: 'POST',
    path: '/notes',
    headers: json,
    body: JSON.stringify({ ...note, priority: 'high' }),
    status: 400,
    contentType: jsonType,
    answer: {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: 'body/priority must be integer',
    },
  },
  {
    name: 'not found',
    program: 'application',
    method: 'GET',
    path: '/nowhere',
    status: 404,
    contentType: jsonType,
    answer: { message: 'Route GET:/nowhere not found', error: 'Not Found', statusCode: 404 },
  },
  { name: 'ten hooks', program: 'application', ...hello, path: '/hooked' },
  {
    name: 'cookies and auth',
    program: 'application',
    method: 'GET',
    path: '/account',
    headers: { authorization: 'Bearer a-key-of-the-tests', cookie: 'theme=dark; session=ada' },
    status: 200,
    contentType: jsonType,
    answer: { user: 'ada' },
  },
  { name: 'logging', program: 'logging', ...hello },
  {
    name: 'stream',
    program: 'application',
    method: 'GET',
    path: '/report',
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    answer: 'All happy families are alike. '.repeat(100).repeat(8),
  },
]
