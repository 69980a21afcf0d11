/** Measures the CPU time of an invocation in Lambda, with the event of a function URL. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toEvent } from '../../support/lambda/gateway.ts'
import type { Row } from './rows.ts'
import { deployed, peerPrograms } from './contestants.ts'

/** A message to `lambda-function.ts`. */
export interface Calls {
  readonly event: object
  /** The status of the right answer. */
  readonly status: number
  readonly count: number
}

const mains = {
  hono: `import { handle } from 'hono/aws-lambda'
import app from './hono-application.mjs'
export const handler = handle(app)
`,
  'fastify 5': `import awsLambdaFastify from '@fastify/aws-lambda'
import app from './application.mjs'
export const handler = awsLambdaFastify(app)
await app.ready()
`,
}

const turns = 10
const warmUp = 20_000
const perTurn = 1_000
const program = fileURLToPath(new URL('./lambda-function.js', import.meta.url))

/** Costs in microseconds, by row, contestant and turn. */
export async function measureLambda(
  rows: readonly Row[],
  rounds: number,
  isSelected: (name: string) => boolean,
): Promise<Map<string, Map<string, number[]>>> {
  const peers = peerPrograms()
  const files = Object.entries(mains).map(([name, source]) => {
    const file = join(peers, `${name}.lambda.mjs`)
    writeFileSync(file, source)
    return [name, file] as const
  })
  const all = [...files, ['framework', join(deployed('lambda'), 'index.js')] as const]
  const contestants = all.filter(([name]) => isSelected(name))
  const costs = new Map(rows.map(({ name }) => [name, new Map<string, number[]>()]))
  for (let round = 0; round < rounds; round++) {
    const children = contestants.map(([, file]) => fork(program, [file]))
    for (const row of rows) {
      const calls = { event: eventOf(row), status: row.status }
      for (const child of children) await call(child, { ...calls, count: warmUp })
      for (let turn = 0; turn < turns; turn++) {
        for (const [index, [name]] of contestants.entries()) {
          const cost = await call(children[index] as ChildProcess, {
            ...calls,
            count: perTurn,
          })
          const byName = costs.get(row.name) as Map<string, number[]>
          byName.set(name, [...(byName.get(name) ?? []), cost])
        }
      }
    }
    for (const child of children) child.kill()
  }
  return costs
}

function eventOf({ method, path, headers = {}, body }: Row): object {
  // A function URL sends payload version 2.0, with the path as the client sent it.
  return toEvent('url', {
    method,
    target: path,
    headers: Object.entries({ host: 'api.example.com', ...headers }),
    body: body === undefined ? undefined : Buffer.from(body),
  })
}

async function call(child: ChildProcess, calls: Calls): Promise<number> {
  child.send(calls)
  const [cost] = (await once(child, 'message')) as [number]
  return cost
}
