/**
 * The only differences between Fastify 4.21 on Node and deployments to other runtimes that are allowed, besides those of the
 * runtime itself. An entry that no longer differs fails the test.
 */
import { lifeTitle } from '../parity/compare.ts'
import { because, type KnownDifference } from '../parity/known-differences.ts'
import { oddSearches } from '../support/odd-values.ts'

const trailers = because('A `Response` has no trailers, so none are announced.', {
  'post-office': ['GET /replies/trailers'],
})

/** Every address with queries that it does not know. */
const withQueries = (address: string): string[] =>
  ['valid', 'HEAD', ...oddSearches.map((query) => `query and ${query}`)].map(
    (what) => `${address}: ${what}`,
  )

const framing: readonly KnownDifference[] = [
  ...because(
    "Fetch joins the values of a repeated header with a comma. Of headers that allow one value, such as `authorization` and `content-type`, Node takes the first, which can't be told from the joined text.",
    {
      bookshop: [
        'GET /visitors/one: headers.authorization twice',
        'GET /visitors/one: headers.authorization twice, once different',
        'POST /v1/notes/strict: headers.content-type twice',
        'POST /v1/notes/strict: headers.content-type twice, once different',
        'two tokens',
        'the same content type twice',
        'two content types',
      ],
    },
  ),
  ...because('A fragment, which nobody should send, is left out of the URL.', {
    bookshop: ['a fragment'],
  }),
  ...because('Node itself answers an expectation that it does not know, with 417.', {
    bookshop: ['an unknown expectation'],
  }),
]

const phrases = because('A status that nobody knows has another phrase, or none.', {
  bookshop: ['GET /v1/feed: query.status = 299', 'GET /v1/feed: query.status = 599'],
})

const sent = (value: string): string => `GET /failures/send/${value}`

/** Requests whose answers have a status without a phrase. */
const ownPhrases = [
  'GET /replies/hijacked',
  'GET /failures/own-handler',
  'GET /failures/inner',
  'GET /failures/innermost?out',
  'GET /failures/innermost?out&up',
]

/** docs/guide/workers.md lists them. */
export const workerdDifferences: readonly KnownDifference[] = [
  ...trailers,
  ...framing,
  ...because('A 304 has no length.', { bookshop: ['GET /v1/feed: query.status = 304'] }),
  ...because('workerd takes an empty header for none.', {
    bookshop: ['GET /health/tenant: headers.accept = ""'],
    museum: ['', '/'].map(
      (end) => `DELETE /api/exhibitions/{exhibitionId}${end}: headers.if-match = ""`,
    ),
  }),
  ...because('workerd itself answers methods that it does not know, with 501.', {
    bookshop: ['the method LINK'],
  }),
  ...because('A Worker is never closed: it ends when its process does.', { bookshop: [lifeTitle] }),
  ...because('A reply that is ended in one piece has a length, also when it is written by hand.', {
    'post-office': ['GET /replies/hijacked'],
  }),
  ...because("workerd's `node:fs` words its errors differently.", {
    'post-office': ['GET /replies/stream/missing'],
  }),
]

export const denoDifferences: readonly KnownDifference[] = [
  ...trailers,
  ...framing,
  ...phrases,
  ...because(
    'Deno writes reason phrases of its own; what is written by hand in one piece has a length.',
    {
      bookshop: [
        ...withQueries('GET /v1/books/{isbn}/reviews'),
        'GET /v1/books/{isbn}/reviews: with a slash at the end',
        'GET /v1/feed: query.status = 203',
        ...withQueries('GET /v1/staff/teapot'),
      ],
      'post-office': [
        ...['error', 'text', 'object', 'number', 'code', 'empty-message'].map(sent),
        ...['status-200', 'status-text'].map(sent),
        ...ownPhrases,
        'POST /telegrams of application/fails: x',
      ],
    },
  ),
  ...because('Deno gives a 304 no length, and a HEAD one of 0.', {
    bookshop: ['GET /v1/feed: query.status = 304', 'GET /v1/feed/chapter: HEAD'],
  }),
]

export const bunDifferences: readonly KnownDifference[] = [
  ...because(
    'A header with several values is sent as one, with commas, unless it is `set-cookie`.',
    { 'post-office': ['GET /replies/headers'] },
  ),
  ...trailers,
  ...framing,
  ...phrases,
  ...because('Bun gives a stream that has ended by then a length.', {
    bookshop: withQueries('GET /v1/feed/chapter'),
    'post-office': ['GET /replies/stream/type', 'GET /replies/payload/stream'],
  }),
  ...because('Bun resolves the dots of a path, as `URL` does.', {
    bookshop: ['dots in the path'],
  }),
  ...because('Bun gives no body to a TRACE, which should have none.', {
    bookshop: ['TRACE with JSON', 'TRACE with text', 'TRACE with broken JSON'],
  }),
  ...because('Bun gives bytes without a content type one.', {
    'post-office': ['GET /parcels/own'],
  }),
  ...because('JavaScriptCore says in other words why something is no JSON.', {
    'post-office': ['GET /failures/circular', 'GET /failures/bigint'],
  }),
  ...because('Bun writes reason phrases of its own for statuses that have none.', {
    'post-office': ownPhrases,
  }),
]

/** In a page of Chromium; cookies are left out of all answers before. */
export const webDifferences: readonly KnownDifference[] = because(
  'A `Request` does not tell how long its body is.',
  { bookshop: ['a wrapped parcel with a length'] },
)

/** JavaScriptCore says what is wrong with JSON in other words than V8. */
export const bunWords: RegExp =
  /JSON Parse error: [^"\\]*(?:\\+"[^"\\]*\\+")?[^"\\]*|Unexpected end of JSON input|Expected property name or '}' in JSON at position \d+|Expected ':' after property name in JSON at position \d+|Unexpected non-whitespace character after JSON at position \d+|Unexpected token '.*? is not valid JSON/g
