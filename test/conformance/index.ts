/**
 * `npm run conformance`: runs the test files of Fastify 4.21.0 on a second copy of Fastify, which only has no access to the private
 * parts of the first, and on the built package, which compiles schemas in process as in development.
 *
 * With `--no-codegen` only the development compiler may generate code. The options of `compareSuite` work as well.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareSuite, type KnownDifference } from './compare.ts'
import { cacheDir, installSuite, listTestFiles, secondPeer, suiteDir } from './suite.ts'

const BAD_URL =
  'A URL that is not encoded properly gets 400, as on Fastify 5.12, whether there are routes or not: the 404 handler that 4.21 ' +
  'runs may belong to another prefix, and runs without its hooks (docs/reference/security.md).'

const FAILING_FACTORY =
  'A logger factory that fails fails one request, which is answered; on 4.21 it ends the process (docs/reference/errors.md).'

const CLASS =
  "tap compares with an error of Fastify's private `lib/errors`, whose `toString` has another function name."

const AVVIO = 'Avvio 8.2 names its functions, and the wrong code for the error.'

const knownDifferences: Readonly<Record<string, readonly KnownDifference[]>> = {
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
  'childLoggerFactory.test.js': [
    { title: /^should throw error if invalid logger is returned$/, reason: FAILING_FACTORY },
  ],
}

const child = new URL('../../../test/conformance/', import.meta.url)
const preload = new URL('child/preload.mjs', child).href
const deniesCode = process.argv.includes('--no-codegen')

installSuite()
await compareSuite({
  files: listTestFiles(),
  knownDifferences,
  start: (file, subject) => ({
    cwd: suiteDir,
    // Some tests call V8's natives.
    args: ['--allow-natives-syntax', '--import', preload, join(suiteDir, 'test', file)],
    env: {
      PEER_SUITE: suiteDir,
      PEER_CACHE_DIR: cacheDir,
      PEER_TEST_FILE: file,
      PEER_TARGET:
        subject === 'original' ? secondPeer : fileURLToPath(new URL('target.mjs', child)),
      ...(deniesCode && subject === 'ours' && { PEER_NO_CODEGEN: 'yes' }),
    },
  }),
})
