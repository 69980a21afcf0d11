/**
 * Differences that gateways make: what they drop or change, so that a function answers differently from a server.
 * docs/guide/functions.md lists them. An entry that no longer differs fails the test.
 */
import type { Gateway } from './gateway.ts'

export interface GatewayDifference {
  readonly app: string
  readonly gateways: readonly Gateway[]
  readonly reason: string
  /** Titles of requests. */
  readonly titles: RegExp
}

const all: readonly Gateway[] = ['rest', 'http', 'http-1.0', 'url', 'balancer', 'balancer-multiple']
/** Events of HTTP APIs, in either version. */
const httpApi: readonly Gateway[] = ['http', 'http-1.0']
const payload2: readonly Gateway[] = ['http', 'url']

export const gatewayDifferences: readonly GatewayDifference[] = [
  {
    app: 'bookshop',
    gateways: payload2,
    reason:
      'Payload 2.0 joins a header that is sent twice with a comma. Node takes the first of those that may stand once, and joins others with a comma and a blank.',
    titles: /: headers\..* twice|^two tokens$|content types?( twice)?$/,
  },
  {
    app: 'bookshop',
    gateways: ['balancer'],
    reason: 'Without multi-value headers a load balancer passes the last of equal names on.',
    titles: / twice| three times| without a value|&ids=|^two tokens$|content types?( twice)?$/,
  },
  {
    app: 'bookshop',
    gateways: ['rest', 'http-1.0'],
    reason:
      'Payload 1.0 has the query decoded and taken apart: as it was written, nobody can tell.',
    titles: /^GET \/v1\/feed: (?:as [A-Z]+|in upper case)$|: query and /,
  },
  {
    app: 'bookshop',
    gateways: ['balancer', 'balancer-multiple'],
    reason: 'Load balancers take the query apart: what is between two pairs is lost.',
    titles: /: query and /,
  },
  {
    app: 'post-office',
    gateways: ['rest', 'http-1.0', 'balancer', 'balancer-multiple'],
    reason: 'The query is put together again from its parts, as it may not have been written.',
    titles: /^GET \/counters(?:: query and |\?)/,
  },
  {
    app: 'post-office',
    gateways: httpApi,
    reason:
      'HTTP APIs decode the path: an encoded slash is one that separates, and encoding may be otherwise.',
    titles: /: params\..* = .*%|^GET \/%$/,
  },
  {
    app: 'post-office',
    gateways: all,
    reason: 'The clients of gateways are where they are, and speak TLS.',
    titles: /^GET \/counters\/about/i,
  },
  {
    app: 'plugins',
    gateways: all,
    reason: 'The clients of gateways are where they are, and speak TLS.',
    titles: /^POST \/cookies\/many$|^GET \/helpers\/forwarded/,
  },
  {
    app: 'plugins',
    gateways: all,
    reason: 'Node adds the length of what is written by hand; here the gateway does.',
    titles: /^GET \/machines\/ends/,
  },
  {
    app: 'post-office',
    gateways: all,
    reason: 'An answer of Lambda has no phrase for its status, and no trailers.',
    titles: /^GET \/replies\/(?:hijacked|trailers)$/,
  },
  {
    app: 'post-office',
    gateways: [...payload2, 'balancer'],
    reason: 'Answers have one value for each header but cookies: others are joined.',
    titles: /^GET \/replies\/headers$/,
  },
]
