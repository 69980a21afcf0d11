/** Applications deployed to Lambda answer as on Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from '../parity/compare.ts'
import { loadExchanges, report } from '../parity/grid.ts'
import { knownDifferences } from '../parity/known-differences.ts'
import { transcribe } from '../parity/transcript.ts'
import { applicationParts, overSockets } from '../parity/transport.ts'
import { appNamed, appNames, oracle, projectNames } from '../support/engines.ts'
import { lambdaEngine } from '../support/lambda/engine.ts'
import { type Gateway, gateways } from '../support/lambda/gateway.ts'
import { runsAll } from '../support/runs.ts'

interface GatewayDifference {
  readonly app: string
  readonly gateways: readonly Gateway[]
  readonly reason: string
  /** Titles of requests. */
  readonly titles: RegExp
}

/** Events of HTTP APIs, in either version. */
const httpApi: readonly Gateway[] = ['http', 'http-1.0']
const payload2: readonly Gateway[] = ['http', 'url']

const gatewayDifferences: readonly GatewayDifference[] = [
  {
    app: 'bookshop',
    gateways: payload2,
    reason:
      'Payload 2.0 joins the values of a repeated header with a comma. Node joins them with a comma and a space, and takes the first value of headers that allow only one.',
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
    app: 'bookshop',
    gateways,
    reason: 'Gateways decode paths, so a `#` in an event belongs to the path.',
    titles: /^a fragment$/,
  },
  {
    app: 'post-office',
    gateways,
    reason: 'The clients of gateways are where they are, and speak TLS.',
    titles: /^GET \/counters\/about/i,
  },
  {
    app: 'plugins',
    gateways,
    reason: 'The clients of gateways are where they are, and speak TLS.',
    titles: /^POST \/cookies\/many$|^GET \/helpers\/forwarded/,
  },
  {
    app: 'plugins',
    gateways,
    reason: 'Node adds the length of what is written by hand; here the gateway does.',
    titles: /^GET \/machines\/ends/,
  },
  {
    app: 'post-office',
    gateways,
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

type Run = readonly [app: string, gateway: Gateway, handler: 'handler' | 'streaming']

const quick: readonly Run[] = [['commonjs', 'url', 'streaming']]
const all: readonly Run[] = [
  ...[...appNames, ...projectNames].map((name): Run => [name, 'url', 'handler']),
  ['bookshop', 'rest', 'handler'],
  ['bookshop', 'balancer', 'handler'],
  ['bookshop', 'balancer-multiple', 'streaming'],
  ['post-office', 'http', 'handler'],
  ['post-office', 'http-1.0', 'streaming'],
  ['post-office', 'balancer-multiple', 'streaming'],
]

for (const [name, gateway, handler] of runsAll ? all : quick) {
  test(`${name} in Lambda, ${gateway} events, as ${handler}`, async () => {
    const app = appNamed(name)
    const engine = lambdaEngine(gateway, handler)
    const exchanges = overSockets(await loadExchanges(app))
    const [answered, actual] = await Promise.all([
      transcribe(oracle, app, exchanges),
      transcribe(engine, app, exchanges),
    ])
    const ofRuntime = new Set(
      knownDifferences.filter(({ app }) => app === name).flatMap(({ requests }) => requests),
    )
    const found = compare(exchanges, applicationParts(answered), applicationParts(actual)).filter(
      ({ title }) => !ofRuntime.has(title),
    )
    const known = gatewayDifferences.filter(
      ({ app, gateways }) => app === name && gateways.includes(gateway),
    )
    const unlisted = found.filter(({ title }) => !known.some(({ titles }) => titles.test(title)))
    assert.ok(unlisted.length === 0, report(engine, name, unlisted))
    for (const { titles, reason } of known) {
      assert.ok(
        found.some(({ title }) => titles.test(title)),
        `This does not differ any more: ${reason}`,
      )
    }
  })
}
