/** Runs one application on two engines and requires the same answers. */
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { type App, appNamed, type Engine, oracle } from '../support/engines.ts'
import type { AppRequests } from '../support/request.ts'
import { requestsOf } from '../support/requests.ts'
import { compare, type Difference } from './compare.ts'
import { type KnownDifference, knownDifferences } from './known-differences.ts'
import { type Exchange, exchangesOf, type Transcript, transcribe } from './transcript.ts'

export interface GridRun {
  readonly exchanges: readonly Exchange[]
  /** The answers of the oracle. */
  readonly expected: Transcript
  readonly differences: readonly Difference[]
}

export async function loadExchanges(app: App): Promise<Exchange[]> {
  const given = (await import(pathToFileURL(app.requests).href)) as AppRequests
  return exchangesOf(requestsOf(given), given.raw)
}

/** Sends the same to the oracle and to `engine`; `only` keeps the requests with that title. */
export async function runGrid(engine: Engine, appName: string, only?: string): Promise<GridRun> {
  const app = appNamed(appName)
  const all = await loadExchanges(app)
  const exchanges = only === undefined ? all : all.filter(({ title }) => title === only)
  const [answered, actual] = await Promise.all([
    only === undefined ? expectedOf(app, exchanges) : transcribe(oracle, app, exchanges),
    transcribe(engine, app, exchanges),
  ])
  return { exchanges, expected: answered, differences: compare(exchanges, answered, actual) }
}

const expected = new Map<string, Promise<Transcript>>()

/** The answers of the oracle to all requests, which it gets once in each process. */
function expectedOf(app: App, exchanges: readonly Exchange[]): Promise<Transcript> {
  let transcript = expected.get(app.name)
  if (transcript === undefined) {
    transcript = transcribe(oracle, app, exchanges)
    expected.set(app.name, transcript)
  }
  return transcript
}

/** Fails for a difference that isn't listed, and for a listed one that doesn't occur. */
export function assertParity(
  engine: Engine,
  appName: string,
  { differences }: GridRun,
  known: readonly KnownDifference[] = knownDifferences,
): void {
  const listed = new Set(
    known.filter(({ app }) => app === appName).flatMap(({ requests }) => requests),
  )
  const unlisted = differences.filter(({ title }) => !listed.has(title))
  const found = new Set(differences.map(({ title }) => title))
  const gone = [...listed].filter((title) => !found.has(title))
  assert.ok(unlisted.length === 0, report(engine, appName, unlisted))
  assert.deepEqual(
    gone,
    [],
    'These known differences do not differ any more: take them off the list',
  )
}

/** The first differences in full, with commands that show each one alone. */
export function report(
  engine: Engine,
  appName: string,
  differences: readonly Difference[],
  limit = 15,
): string {
  const shown = differences
    .slice(0, limit)
    .map(({ title, lines }) =>
      [
        title,
        `  node dist/test/parity/one.js ${engine.name} ${appName} ${quote(title)}`,
        ...lines.map((line) => `  ${line}`),
      ].join('\n'),
    )
  const rest = differences.length - shown.length
  return [
    `${differences.length} requests are answered differently`,
    ...shown,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ].join('\n\n')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
