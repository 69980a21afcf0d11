/** Runs one application on Fastify and on ours, listening, and compares everything that clients observe. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Factory, factoriesFor, type Note, show, type Subjects } from './differential.ts'

export interface Talk {
  readonly app: FastifyInstance
  readonly port: number
  readonly note: Note
  /** Resolves when a note begins with this text. Rejects after 30 seconds without one. */
  noted(beginning: string): Promise<void>
}

export interface ConnectionScenario extends Subjects {
  readonly options?: object
  /** Declares the application; `note` adds to what is compared. */
  build(app: FastifyInstance, note: Note): unknown
  /** Sends requests to the application. */
  talk(talk: Talk): Promise<unknown>
}

/** Asserts that clients of both see the same, and that the notes were made in the same order. */
export async function assertSameOnConnections(scenario: ConnectionScenario): Promise<void> {
  const { expected, actual } = await observeBoth(scenario)
  assert.deepEqual(actual, expected)
}

/** Observes Fastify and this package. */
export async function observeBoth(
  scenario: ConnectionScenario,
): Promise<{ expected: readonly string[]; actual: readonly string[] }> {
  const { theirs, ours } = factoriesFor(scenario)
  const expected = await observe(theirs, scenario)
  const actual = await observe(ours, scenario)
  return { expected, actual }
}

async function observe(factory: Factory, scenario: ConnectionScenario): Promise<string[]> {
  const seen: string[] = []
  const waiting = new Set<() => void>()
  const note: Note = (...values) => {
    seen.push(normalized(values.map(show).join(' ')))
    waiting.forEach((wake) => wake())
  }
  const noted = (beginning: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`No note begins with ${beginning}`))
      const timer = setTimeout(fail, 30_000).unref()
      const look = (): void => {
        if (!seen.some((text) => text.startsWith(beginning))) return
        waiting.delete(look)
        clearTimeout(timer)
        resolve()
      }
      waiting.add(look)
      look()
    })
  // Fastify changes its options.
  const app = factory({ ...scenario.options })
  await scenario.build(app, note)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The timers that end idle connections don't keep the process alive.
  const alive = setInterval(() => {}, 1000)
  try {
    await scenario.talk({ app, port, note, noted })
  } finally {
    await app.close()
    clearInterval(alive)
  }
  return seen
}

/** Ports, times and the like differ from run to run. */
function normalized(text: string): string {
  return text
    .replace(/(date: )[^\r]*/gi, '$1DATE')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
}
