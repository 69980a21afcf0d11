/**
 * The only differences between Fastify 4.21 on Node and deployments to other runtimes that are allowed, besides those of the
 * runtime itself. An entry that no longer differs fails the test.
 */
import { sentTwice } from '../parity/bookshop-requests.ts'
import { lifeTitle } from '../parity/compare.ts'
import type { KnownDifference } from '../parity/known-differences.ts'
import { oddSearches } from '../support/odd-values.ts'

const lists: KnownDifference = {
  app: 'post-office',
  reason: 'A header with several values is sent as one, with commas, unless it is `set-cookie`.',
  requests: ['GET /replies/headers'],
}

const trailers: KnownDifference = {
  app: 'post-office',
  reason: 'A `Response` has no trailers, so none are announced.',
  requests: ['GET /replies/trailers'],
}

/** Every address with queries that it does not know. */
const withQueries = (address: string): string[] =>
  ['valid', 'HEAD', ...oddSearches.map((query) => `query and ${query}`)].map(
    (what) => `${address}: ${what}`,
  )

const framing: readonly KnownDifference[] = [
  {
    app: 'bookshop',
    reason:
      'A header that is sent twice is joined with a comma. Node takes the first of those that may stand once, such as `authorization` and `content-type`; from the joined text nobody can tell where it ends.',
    requests: sentTwice,
  },
  {
    app: 'bookshop',
    reason: 'A fragment, which nobody should send, is left out of the URL.',
    requests: ['a fragment'],
  },
  {
    app: 'bookshop',
    reason: 'Node itself answers an expectation that it does not know, with 417.',
    requests: ['an unknown expectation'],
  },
]

const bookshop: readonly KnownDifference[] = [
  ...framing,
  {
    app: 'bookshop',
    reason: 'A status that nobody knows has another phrase, or none.',
    requests: ['GET /v1/feed: query.status = 299', 'GET /v1/feed: query.status = 599'],
  },
]

/** docs/guide/workers.md lists them. */
export const workerdDifferences: readonly KnownDifference[] = [
  trailers,
  ...framing,
  {
    app: 'bookshop',
    reason: 'A 304 has no length.',
    requests: ['GET /v1/feed: query.status = 304'],
  },
  ...[
    { app: 'bookshop', requests: ['GET /health/tenant: headers.accept = ""'] },
    {
      app: 'museum',
      requests: ['', '/'].map(
        (end) => `DELETE /api/exhibitions/{exhibitionId}${end}: headers.if-match = ""`,
      ),
    },
  ].map((one) => ({ ...one, reason: 'workerd takes an empty header for none.' })),
  {
    app: 'bookshop',
    reason: 'workerd itself answers methods that it does not know, with 501.',
    requests: ['the method LINK'],
  },
  {
    app: 'bookshop',
    reason: 'A Worker is never closed: it ends when its process does.',
    requests: [lifeTitle],
  },
  {
    app: 'post-office',
    reason: 'A reply that is ended in one piece has a length, also when it is written by hand.',
    requests: ['GET /replies/hijacked'],
  },
  {
    app: 'post-office',
    reason: "workerd's `node:fs` words its errors differently.",
    requests: ['GET /replies/stream/missing'],
  },
]

export const denoDifferences: readonly KnownDifference[] = [
  trailers,
  ...bookshop,
  {
    app: 'bookshop',
    reason: 'Deno writes reason phrases of its own.',
    requests: [
      ...withQueries('GET /v1/books/{isbn}/reviews'),
      'GET /v1/books/{isbn}/reviews: with a slash at the end',
      'GET /v1/feed: query.status = 203',
      ...withQueries('GET /v1/staff/teapot'),
    ],
  },
  {
    app: 'bookshop',
    reason: 'Deno gives a 304 no length, and a HEAD one of 0.',
    requests: ['GET /v1/feed: query.status = 304', 'GET /v1/feed/chapter: HEAD'],
  },
  {
    app: 'post-office',
    reason:
      'Deno writes reason phrases of its own; what is written by hand in one piece has a length.',
    requests: [
      'GET /replies/hijacked',
      'GET /failures/send/error',
      'GET /failures/send/text',
      'GET /failures/send/object',
      'GET /failures/send/number',
      'GET /failures/send/status-200',
      'GET /failures/send/status-text',
      'GET /failures/send/code',
      'GET /failures/send/empty-message',
      'GET /failures/own-handler',
      'GET /failures/inner',
      'GET /failures/innermost?out',
      'GET /failures/innermost?out&up',
      'POST /telegrams of application/fails: x',
    ],
  },
]

export const bunDifferences: readonly KnownDifference[] = [
  lists,
  trailers,
  ...bookshop,
  {
    app: 'bookshop',
    reason: 'Bun gives a stream that has ended by then a length.',
    requests: withQueries('GET /v1/feed/chapter'),
  },
  {
    app: 'bookshop',
    reason: 'Bun resolves the dots of a path, as `URL` does.',
    requests: ['dots in the path'],
  },
  {
    app: 'bookshop',
    reason: 'Bun gives no body to a TRACE, which should have none.',
    requests: ['TRACE with JSON', 'TRACE with text', 'TRACE with broken JSON'],
  },
  {
    app: 'post-office',
    reason: 'Bun gives bytes without a content type one.',
    requests: ['GET /parcels/own'],
  },
  {
    app: 'post-office',
    reason: 'Bun gives a stream that has ended by then a length.',
    requests: ['GET /replies/stream/type', 'GET /replies/payload/stream'],
  },
  {
    app: 'post-office',
    reason: 'JavaScriptCore says in other words why something is no JSON.',
    requests: ['GET /failures/circular', 'GET /failures/bigint'],
  },
  {
    app: 'post-office',
    reason: 'Bun writes reason phrases of its own for statuses that have none.',
    requests: [
      'GET /replies/hijacked',
      'GET /failures/own-handler',
      'GET /failures/inner',
      'GET /failures/innermost?out',
      'GET /failures/innermost?out&up',
    ],
  },
]

/** In a page of Chromium; cookies are left out of all answers before. */
export const webDifferences: readonly KnownDifference[] = [
  {
    app: 'bookshop',
    reason: 'A `Request` does not tell how long its body is.',
    requests: ['a wrapped parcel with a length'],
  },
]

/** JavaScriptCore says what is wrong with JSON in other words than V8. */
export const bunWords: RegExp =
  /JSON Parse error: [^"\\]*(?:\\+"[^"\\]*\\+")?[^"\\]*|Unexpected end of JSON input|Expected property name or '}' in JSON at position \d+|Expected ':' after property name in JSON at position \d+|Unexpected non-whitespace character after JSON at position \d+|Unexpected token '.*? is not valid JSON/g
