/**
 * The only differences between workerd and Fastify 4.21 on Node that are allowed, besides those of the runtime itself.
 * An entry that no longer differs fails the test. docs/guide/workers.md tells of each.
 */
import { sentTwice } from '../../../parity/bookshop-requests.ts'
import { lifeTitle } from '../../../parity/compare.ts'
import type { KnownDifference } from '../../../parity/known-differences.ts'

export const workerdDifferences: readonly KnownDifference[] = [
  {
    app: 'bookshop',
    reason:
      'workerd joins a header that is sent twice with a comma. Node takes the first of those that may stand once, such as `authorization` and `content-type`; from the joined text nobody can tell where it ends.',
    requests: sentTwice,
  },
  {
    app: 'bookshop',
    reason: 'workerd takes an empty header for none.',
    requests: ['GET /health/tenant: headers.accept = ""'],
  },
  {
    app: 'museum',
    reason: 'workerd takes an empty header for none.',
    requests: [
      'DELETE /api/exhibitions/{exhibitionId}: headers.if-match = ""',
      'DELETE /api/exhibitions/{exhibitionId}/: headers.if-match = ""',
    ],
  },
  {
    app: 'bookshop',
    reason:
      'workerd leaves the fragment out of the URL; Node, which should not be sent one, keeps it.',
    requests: ['a fragment'],
  },
  {
    app: 'bookshop',
    reason: 'workerd itself answers methods that it does not know, with 501.',
    requests: ['the method LINK'],
  },
  {
    app: 'bookshop',
    reason:
      'Node itself answers an expectation that it does not know, with 417; workerd passes it on.',
    requests: ['an unknown expectation'],
  },
  {
    app: 'bookshop',
    reason: 'A 204 and a 304 have no length in workerd.',
    requests: ['GET /v1/feed: query.status = 204', 'GET /v1/feed: query.status = 304'],
  },
  {
    app: 'bookshop',
    reason: 'A Worker is never closed: it ends when its process does.',
    requests: [lifeTitle],
  },
  {
    app: 'post-office',
    reason: 'A `Response` has no trailers, so none are announced.',
    requests: ['GET /replies/trailers'],
  },
  {
    app: 'post-office',
    reason: 'A reply that is ended in one piece has a length, also when it is written by hand.',
    requests: ['GET /replies/hijacked'],
  },
  {
    app: 'post-office',
    reason: 'A 204 has no length in workerd.',
    requests: ['GET /replies/no-content'],
  },
  {
    app: 'post-office',
    reason: "workerd's `node:fs` words its errors differently.",
    requests: ['GET /replies/stream/missing'],
  },
]
