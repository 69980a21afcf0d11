/** Tests of Fastify that pass on Fastify and not here, by line and file. */
import type { KnownDifference } from './compare.ts'
import type { SuiteLine } from './suite.ts'

const BAD_URL =
  'A URL that is not encoded properly gets 400, as on Fastify 5.12, whether there are routes or not: the 404 handler that 4.21 ' +
  'runs may belong to another prefix, and runs without its hooks (docs/reference/security.md).'

const FAILING_FACTORY =
  'A logger factory that fails fails one request, which is answered; on 4.21 it ends the process (docs/reference/errors.md).'

const CLASS =
  "tap compares with an error of Fastify's private `lib/errors`, whose `toString` has another function name."

const AVVIO = 'Avvio 8.2 names its functions, and the wrong code for the error.'

const in4: Readonly<Record<string, readonly KnownDifference[]>> = {
  '404s.test.js': [
    { title: /^400 in case of bad url .* > No route registered$/, reason: BAD_URL },
    { title: /^400 in case of bad url .* > customized 404$/, reason: BAD_URL },
  ],
  'serial/logger.1.test.js': [{ title: / 404 onBadUrl when disabled$/, reason: BAD_URL }],
  'trust-proxy.test.js': [
    {
      title: /^trust proxy number$/,
      reason: 'A number of hops trusts no proxy (docs/reference/security.md).',
    },
  ],
  'route.test.js': [
    { title: /invalid Multiple methods per route$/, reason: CLASS },
    { title: /Add method$/, reason: CLASS },
    { title: /cannot add another route after binding$/, reason: CLASS },
  ],
  'has-route.test.js': [
    {
      title: /hasRoute - parametric route regexp with constraints$/,
      reason: '`hasRoute` compares patterns, as on Fastify 5 (docs/reference/differences.md).',
    },
  ],
  'hooks.on-ready.test.js': [{ title: /^onReady cannot add lifecycle hooks$/, reason: AVVIO }],
  'pretty-print.test.js': [{ title: /^pretty print - empty plugins$/, reason: AVVIO }],
  'constrained-routes.test.js': [
    {
      title: /^Should allow registering a constrained GET route after an unconstrained HEAD route$/,
      reason:
        'The GET route gets its own HEAD route, as on Fastify 4.29 and 5 (docs/reference/differences.md).',
    },
  ],
  'childLoggerFactory.test.js': [
    { title: /^should throw error if invalid logger is returned$/, reason: FAILING_FACTORY },
  ],
}

const in5: Readonly<Record<string, readonly KnownDifference[]>> = {
  'child-logger-factory.test.js': [
    { title: /^should throw error if invalid logger is returned$/, reason: FAILING_FACTORY },
  ],
  'custom-http-server.test.js': [
    {
      title: / an extra closeIdleConnections call for native servers$/,
      reason: 'It counts calls of a method of the server, which has no connections to close then.',
    },
  ],
  'hooks.test.js': [
    {
      title: / when socket\._meta is cleared after response$/,
      reason: '`socket._meta` is private.',
    },
  ],
  'internals/schema-controller-perf.test.js': [
    { title: /^SchemaController are loaded when /, reason: 'No compiler of schemas is loaded.' },
  ],
  'reply-code.test.js': [
    {
      title: /^code should handle 204$/,
      reason:
        'The stream that a 204 leaves out is destroyed, not read (docs/reference/differences-5.md).',
    },
  ],
}

export const knownDifferences: Readonly<
  Record<SuiteLine, Readonly<Record<string, readonly KnownDifference[]>>>
> = { 4: in4, 5: in5 }
