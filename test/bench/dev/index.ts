/**
 * `npm run bench:dev [-- --routes 300 --rounds 9]`
 *
 * How long it takes from the moment a schema is saved until a request is answered by it, and how many requests fail meanwhile:
 * `framework dev` against real Fastify under `node --watch`, in turn. Wall clock, on all cores that the machine has: compare within
 * one run.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../../support/command.ts'
import { freePort } from '../../support/ports.ts'
import { naturalOf } from '../../fuzz/arguments.ts'
import { median } from '../median.ts'
import { generateApplication, sampleRequest } from '../cold-start/application.ts'
import { commandFile } from '../../support/command-file.ts'

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '9' },
  },
})
const routes = naturalOf(values, 'routes')
const rounds = naturalOf(values, 'rounds')

/** What a change comes to. */
interface Change {
  /** From saving to the first answer by the new schema, in ms. */
  readonly wall: number
  /** Requests that were refused or broken off. */
  readonly failed: number
}

interface Contestant {
  readonly name: string
  readonly changes: Change[]
  /** Saves another schema of one route and waits for it. */
  change(): Promise<Change>
}

/** Ends what was started. */
const ends: (() => void | Promise<void>)[] = []
const lasting = { after: (end: () => void | Promise<void>) => void ends.push(end) }

/** How many tags a request may have, in turn; the request has one. */
const LIMITS = [0, 9] as const

/** Time between two requests, in ms. */
const PACE = 5

const folder = fileURLToPath(new URL('../../../bench/dev', import.meta.url))
mkdirSync(folder, { recursive: true })
generateApplication(folder, routes, 'literal')
writeFileSync(
  join(folder, 'fastify.main.mjs'),
  `import { build } from './fastify.app.mjs'
await build().listen({ port: process.env.PORT, host: '127.0.0.1' })
`,
)

const contestants: readonly Contestant[] = [
  await start('framework dev', [commandFile, 'dev', 'framework.app.mjs'], 'framework.app.mjs'),
  await start('fastify 4.21, node --watch', ['--watch', 'fastify.main.mjs'], 'fastify.app.mjs'),
]
for (let round = 0; round < rounds; round++) {
  for (const contestant of contestants) contestant.changes.push(await contestant.change())
}
for (const end of ends) await end()

console.log(
  `node ${process.version}, ${routes} routes, medians of ${rounds} changes of one schema\n`,
)
const [first] = contestants.map(wallOf)
console.table(
  Object.fromEntries(
    contestants.map((one) => [
      one.name,
      {
        'ms until served': Math.round(wallOf(one)),
        'of framework': Math.round((100 * wallOf(one)) / (first as number)) / 100,
        slowest: Math.round(Math.max(...one.changes.map(({ wall }) => wall))),
        'requests that failed': one.changes.reduce((sum, { failed }) => sum + failed, 0),
      },
    ]),
  ),
)

async function start(name: string, args: readonly string[], source: string): Promise<Contestant> {
  const port = await freePort()
  startProgram(lasting, { folder, args, env: { PORT: String(port), HOST: '127.0.0.1' } })
  const file = join(folder, source)
  let limit = 1
  await until(200)
  return { name, changes: [], change }

  async function change(): Promise<Change> {
    limit = 1 - limit
    const text = readFileSync(file, 'utf8')
    const changed = text.replace(/maxItems: \d+/, `maxItems: ${LIMITS[limit as 0 | 1]}`)
    // What watches files sees those that were there for a while.
    await sleep(500)
    const saved = performance.now()
    writeFileSync(file, changed)
    const failed = await until(limit === 0 ? 400 : 200)
    return { wall: performance.now() - saved, failed }
  }

  async function until(status: number): Promise<number> {
    for (let failed = 0; ; await sleep(PACE)) {
      const seen = await ask(port)
      if (seen === status) return failed
      if (seen === undefined) failed++
    }
  }
}

/** The status of an answer over a connection of its own; `undefined` when there is none. */
function ask(port: number): Promise<number | undefined> {
  const { method, path, body } = sampleRequest
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const asked = request({ port, method, path, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    asked.once('error', () => resolve(undefined)).end(body)
  })
}

function wallOf({ changes }: Contestant): number {
  return median(changes.map(({ wall }) => wall))
}
