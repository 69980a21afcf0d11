/** An application with twenty plugins, deployed to other runtimes than Node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { compare, type Difference, lifeTitle } from '../parity/compare.ts'
import { loadExchanges, report } from '../parity/grid.ts'
import { knownDifferences } from '../parity/known-differences.ts'
import { type Transcript, transcribe } from '../parity/transcript.ts'
import { applicationParts, overSockets } from '../parity/transport.ts'
import { appNamed, oracle } from '../support/engines.ts'
import { bunWords } from './known-differences.ts'
import { deployedBun, deployedDeno } from './servers.ts'
import { deployedWorkerd } from './workerd.ts'
import type { Answer } from '../support/wire.ts'

/** Left out on both sides: requests, or something of each answer. */
type PlatformWay = { readonly reason: string } & (
  | { readonly titles: RegExp }
  | { readonly without: (answer: Answer) => Answer }
)

type Header = readonly [name: string, value: string]

/** Makes other headers, or none, of each. */
const headers =
  (change: (header: Header, answer: Answer) => readonly Header[]) =>
  (answer: Answer): Answer => ({
    ...answer,
    headers: answer.headers.flatMap((header) =>
      change(header, answer).map(([name, value]): [string, string] => [name, value]),
    ),
  })

const phrases: PlatformWay = {
  reason: 'The platform writes reason phrases of its own, which HTTP/2 has none of.',
  without: (answer) => ({ ...answer, statusMessage: '' }),
}

const noLengths: PlatformWay = {
  reason:
    'The platform gives a length of 0 to some answers without a body, and leaves it out of others.',
  without: headers(([name, value]) =>
    name === 'content-length' && value === '0' ? [] : [[name, value]],
  ),
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
}

const packed: PlatformWay = {
  reason: 'What the platform packs is the same when it is unpacked, in other bytes.',
  without: (answer) => {
    const [, encoding = ''] = answer.headers.find(([name]) => name === 'content-encoding') ?? []
    const unpack = unpackers[encoding]
    if (unpack === undefined || answer.body === '') return answer
    try {
      return { ...answer, body: unpack(Buffer.from(answer.body, 'latin1')).toString('latin1') }
    } catch {
      // A route says so of what is not packed: that stays to be compared.
      return answer
    }
  },
}

const milliseconds: PlatformWay = {
  reason:
    'Node rounds the time of a file to a millisecond, the platform takes the last one that has begun.',
  without: headers(([name, value]) => [
    [name, name === 'etag' ? value.replace(/^(W\/"\w+-)\w+"$/, '$1time"') : value],
  ]),
}

const stillComing: PlatformWay = {
  reason:
    'The platform unpacks before it tells that a body of unknown length has ended. `@fastify/compress` destroys a request that it cannot unpack, which ends one that is still coming, as on Node.',
  titles: /^POST \/archive\/letters\/zipped of (?:deflate|br) in chunks$/,
}

const tooManyFields: PlatformWay = {
  reason:
    'On Node the end of the connection comes before the error of `@fastify/multipart`, which is the one to be told.',
  titles: /^POST \/uploads\/\w+ of five fields$/,
}

const denoWays: readonly PlatformWay[] = [
  phrases,
  noLengths,
  packed,
  milliseconds,
  stillComing,
  tooManyFields,
  {
    reason: 'Objects have no `__proto__` in Deno: a cookie of that name is one as any other.',
    titles: /with cookie: __proto__=/,
  },
]

const bunWays: readonly PlatformWay[] = [
  phrases,
  packed,
  milliseconds,
  tooManyFields,
  {
    reason:
      'Bun gives no length to a stream whose length is told, and one to a stream that has ended by then.',
    without: headers(([name, value]) => (name === 'content-length' ? [] : [[name, value]])),
  },
  {
    reason: 'Bun resolves the dots of a path, as `URL` does.',
    titles: /\/(?:\.\.|%2e)/,
  },
  {
    reason: 'JavaScriptCore says in other words what is no function, and what is no JSON.',
    titles:
      /^GET \/helpers\/(?:codes\/\d+|replies\/unknown)$|^GET \/old\/documentation\.json$|^HEAD \/live\/|^POST \/uploads\/attached of application\/json|^POST \/archive\/letters\/untouched of/,
  },
  {
    reason:
      'Bun lists a folder as the file system does, and not by names: `@fastify/autoload` registers its files in that order.',
    titles: new RegExp(`^${lifeTitle}$|^GET /docs/(?:json|yaml)`),
  },
]

const workerdWays: readonly PlatformWay[] = [
  noLengths,
  stillComing,
  {
    reason: 'Files of a Worker have no time.',
    without: headers(([name, value]) =>
      /^(?:etag|last-modified)$/.test(name) ? [] : [[name, value]],
    ),
  },
  {
    reason: 'Whether they have changed is decided by their time.',
    titles: /with if-(?:un)?modified-since/,
  },
  {
    reason:
      "workerd's `PassThrough` does not call `flush`, in which `@fastify/static` answers 304: such requests are cancelled.",
    titles: /^(?:the state of|a page again).*\bGET .* with if-(?:none-match|modified-since)/,
  },
  {
    reason: 'workerd sends other letters than those of ASCII in headers as UTF-8.',
    without: headers(([name, value]) => [[name, asLatin1(value)]]),
  },
  {
    reason: 'workerd takes an empty header for none, and joins cookie headers with a comma.',
    titles: /with accept-encoding: $|^two cookie headers$/,
  },
  {
    reason: 'Nothing is upgraded in a Worker, from inside neither.',
    titles: /^(?:GET|HEAD) \/live\/inside$/,
  },
  {
    reason: 'Names of files are listed as URLs have them.',
    titles: /^(?:GET|HEAD) \/files\/directories\//,
  },
  {
    reason: 'A Worker is never closed: it ends when its process does.',
    titles: new RegExp(`^${lifeTitle}$`),
  },
]

/** Reverses sending as UTF-8. */
function asLatin1(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}

/** Newer versions of V8 than Node 20 has say more of what is wrong with JSON, and workerd has other classes of errors. */
const newWords =
  / \(line \d+ column \d+\)|Unexpected end of JSON input|Expected ':' after property name in JSON at position \d+|(?:Type)?Error(?=","message":"Premature close")/g

const targets = [
  [deployedDeno, denoWays, newWords],
  [deployedBun, bunWays, bunWords],
  [deployedWorkerd, workerdWays, newWords],
] as const

const app = appNamed('plugins')
const exchanges = overSockets(await loadExchanges(app))
const titles = knownDifferences.filter((one) => one.app === app.name).flatMap((one) => one.requests)
const ofRuntime = new Set(titles)
let answered: Promise<Transcript> | undefined

for (const [engine, ways, words] of targets) {
  test(`plugins: ${engine.name}, it answers like fastify@4.21`, async (t) => {
    answered ??= transcribe(oracle, app, exchanges)
    const [expected, actual] = [await answered, await transcribe(engine, app, exchanges)]
    const differences = (allowed: readonly PlatformWay[]): Difference[] => {
      const sides = [expected, actual].map((one) => without(allowed, applicationParts(one, words)))
      return compare(exchanges, sides[0] as Transcript, sides[1] as Transcript).filter(
        ({ title }) =>
          !ofRuntime.has(title) &&
          !allowed.some((way) => 'titles' in way && way.titles.test(title)),
      )
    }
    const unlisted = differences(ways)
    assert.ok(unlisted.length === 0, report(engine, app.name, unlisted))
    for (const way of ways) {
      const others = ways.filter((one) => one !== way)
      assert.notEqual(differences(others).length, 0, `It does not differ any more: ${way.reason}`)
    }
    t.diagnostic(`${exchanges.length} requests`)
  })
}

function without(ways: readonly PlatformWay[], { journal, outcomes }: Transcript): Transcript {
  const parts = ways.flatMap((way) => ('without' in way ? [way.without] : []))
  return {
    journal,
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      answer:
        'headers' in outcome.answer
          ? parts.reduce((answer, part) => part(answer), outcome.answer)
          : outcome.answer,
    })),
  }
}
