/** Runs one application on Fastify and on ours, listening, and compares all that its clients can see. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import framework from 'framework'
import { type Note, show } from './differential.ts'

type Factory = (options?: unknown) => FastifyInstance

export interface Talk {
  readonly app: FastifyInstance
  readonly port: number
  readonly note: Note
  /** Resolves when something was noted that begins so. */
  heard(beginning: string): Promise<void>
}

export interface ConnectionScenario {
  /** Fastify 4.21 unless it is wrong. */
  readonly oracle?: unknown
  readonly options?: object
  /** Declares the application; `note` adds to what is compared. */
  build(app: FastifyInstance, note: Note): unknown
  /** Talks to it. */
  talk(talk: Talk): Promise<unknown>
}

/** Asserts that clients of both see the same, and that the notes were made in the same order. */
export async function assertSameOnConnections(scenario: ConnectionScenario): Promise<void> {
  const { expected, actual } = await observeBoth(scenario)
  assert.deepEqual(actual, expected)
}

/** Observations of Fastify and of ours. */
export async function observeBoth(
  scenario: ConnectionScenario,
): Promise<{ expected: readonly string[]; actual: readonly string[] }> {
  const expected = await observe((scenario.oracle ?? fastify) as Factory, scenario)
  const actual = await observe(framework as unknown as Factory, scenario)
  return { expected, actual }
}

async function observe(factory: Factory, scenario: ConnectionScenario): Promise<string[]> {
  const seen: string[] = []
  const waiting = new Set<() => void>()
  const note: Note = (...values) => {
    seen.push(withoutChance(values.map(show).join(' ')))
    waiting.forEach((wake) => wake())
  }
  const heard = (beginning: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!seen.some((text) => text.startsWith(beginning))) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  // Fastify writes into them.
  const app = factory({ ...scenario.options })
  await scenario.build(app, note)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The timers by which servers end connections keep no process alive.
  const alive = setInterval(() => {}, 1000)
  try {
    await scenario.talk({ app, port, note, heard })
  } finally {
    await app.close()
    clearInterval(alive)
  }
  return seen
}

/** Ports, times and the like differ from run to run. */
function withoutChance(text: string): string {
  return text
    .replace(/(date: )[^\r]*/gi, '$1DATE')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
}
