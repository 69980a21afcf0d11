/**
 * The only differences between Fastify 4.21 on Node and deployments to other runtimes that are allowed, besides those of the
 * runtime itself. An entry that no longer differs fails the test.
 */
import type { KnownDifference } from '../parity/known-differences.ts'

const lengths: KnownDifference = {
  app: 'post-office',
  reason: 'A 204 has no length.',
  requests: ['GET /replies/no-content'],
}

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

export const denoDifferences: readonly KnownDifference[] = [
  lengths,
  lists,
  trailers,
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
  lengths,
  lists,
  trailers,
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

/** JavaScriptCore says what is wrong with JSON in other words than V8. */
export const bunWords: RegExp =
  /JSON Parse error: [^"\\]*(?:\\+"[^"\\]*\\+")?[^"\\]*|Unexpected end of JSON input|Expected property name or '}' in JSON at position \d+|Unexpected non-whitespace character after JSON at position \d+|Unexpected token '.*? is not valid JSON/g
