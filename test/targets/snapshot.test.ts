/**
 * Applications that start from a snapshot answer as on Fastify 4.21, and those that no snapshot can hold are refused. Only Node 24
 * and later has such snapshots: `npm run test:targets` runs this there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from '../parity/compare.ts'
import { loadExchanges, report } from '../parity/grid.ts'
import { knownDifferences } from '../parity/known-differences.ts'
import type { Transcript } from '../parity/transcript.ts'
import { transcribe } from '../parity/transcript.ts'
import { overSockets } from '../parity/transport.ts'
import { appNamed, appNames, oracle, projectNames, start } from '../support/engines.ts'
import { deployedSnapshot } from './snapshot.ts'

/** What stands in the refusal: places, and what runs there. */
const refused: Readonly<Record<string, readonly RegExp[]>> = {
  // Its entry awaits at the top.
  'module-level': [/AOT_BUNDLE_FAILS[^]*top-level await/],
  // Some of its packages are refused, as docs/deploy.md says.
  plugins: [
    /node_modules\/@fastify\/multipart\/lib\/generateId\.js:\d+:\d+ {2}AOT_SNAPSHOT_REFUSED\n`Math\.random/,
    /node_modules\/fast-jwt\/src\/signer\.js:\d+:\d+ {2}AOT_SNAPSHOT_REFUSED\n`crypto\.createSecretKey/,
    /node_modules\/@fastify\/websocket\/index\.js:\d+:\d+ {2}AOT_SNAPSHOT_REFUSED\n`http\.createServer/,
  ],
}

const [major = 0] = process.versions.node.split('.').map(Number)
const wanted = (process.env['TARGETS'] ?? '').split(',')

for (const name of [...appNames, ...projectNames]) {
  if (major < 24 || !(wanted.includes('snapshots') || wanted.includes(name))) continue
  const reasons = refused[name]
  if (reasons !== undefined) {
    test(`${name}: no snapshot can be taken, and the refusal says why`, async () => {
      await assert.rejects(start(deployedSnapshot, appNamed(name)), (error: Error) => {
        for (const reason of reasons) assert.match(error.message, reason)
        return true
      })
    })
    continue
  }
  test(`${name}: started from a snapshot, it answers like fastify@4.21`, async (t) => {
    const app = appNamed(name)
    const exchanges = overSockets(await loadExchanges(app))
    const [expected, actual] = await Promise.all([
      transcribe(oracle, app, exchanges),
      transcribe(deployedSnapshot, app, exchanges),
    ])
    const known = new Set(
      knownDifferences.filter((one) => one.app === name).flatMap(({ requests }) => requests),
    )
    const found = compare(exchanges, answersOf(expected), answersOf(actual))
    const unlisted = found.filter(({ title }) => !known.has(title))
    assert.ok(unlisted.length === 0, report(deployedSnapshot, name, unlisted))
    t.diagnostic(`${exchanges.length} requests`)
  })
}

/** Without what hooks have noted. */
function answersOf({ outcomes }: Transcript): Transcript {
  return { journal: [], outcomes: outcomes.map(({ answer }) => ({ answer, journal: [] })) }
}
