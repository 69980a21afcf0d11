/** Runs one small application on Fastify and on ours, in this process, and compares everything observable. */
import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import framework from 'framework'
import framework5 from 'framework/5'
import { fastify as fastify5 } from 'fastify-5'
import './oracle-heads.ts'
import { outcomeOf, turns } from './turns.ts'
// The schemas of these tests are compiled in process.
import 'framework/development'

export type Factory = (options?: unknown) => FastifyInstance

export type Note = (...values: unknown[]) => void

type Requests = readonly (string | InjectOptions)[]

export interface Subjects {
  /** Fastify 4.21 unless it is wrong. */
  readonly oracle?: unknown
  /** Compares the line of Fastify 5. */
  readonly line?: 5
}

export interface Scenario extends Subjects {
  /** Options of the factory; `lines` collects what a logger writes. */
  readonly options?: (lines: Writable) => unknown
  /** Declares the application; `note` adds to what is compared. */
  readonly build: (app: FastifyInstance, note: Note) => unknown
  /** A function if they contain streams, which can be read only once. */
  readonly requests?: Requests | (() => Requests)
  /** Runs when the application is ready, before the requests. */
  readonly whenReady?: (app: FastifyInstance, note: Note) => unknown
}

export async function assertSame(scenario: Scenario): Promise<void> {
  const { theirs, ours } = factoriesFor(scenario)
  const expected = await observe(theirs, scenario)
  const actual = await observe(ours, scenario)
  assert.deepEqual(actual, expected)
}

/** Runs on one after the other, and compares what is noted. */
export async function assertSameNotes(
  subjects: Subjects,
  run: (create: Factory, note: Note) => unknown,
): Promise<void> {
  const { theirs, ours } = factoriesFor(subjects)
  const notesOn = async (create: Factory): Promise<unknown[][]> => {
    const seen: unknown[][] = []
    await run(create, (...values) => void seen.push(values))
    return seen
  }
  const expected = await notesOn(theirs)
  assert.deepEqual(await notesOn(ours), expected)
}

/** Returns the factories to compare. */
export function factoriesFor({ line, oracle }: Subjects): { theirs: Factory; ours: Factory } {
  const pair: readonly unknown[] = line === 5 ? [fastify5, framework5] : [fastify, framework]
  const [theirs, ours] = pair as readonly [Factory, Factory]
  return { theirs: (oracle as Factory | undefined) ?? theirs, ours }
}

async function observe(factory: Factory, scenario: Scenario): Promise<string[]> {
  const seen: string[] = []
  const note: Note = (...values) => void seen.push(values.map(show).join(' '))
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      seen.push(toStableLog(chunk.toString()))
      done()
    },
  })
  const warn = (warning: Error & { code?: string }): void =>
    note('warning', warning.code, warning.message)
  process.on('warning', warn)
  try {
    const app = factory(scenario.options?.(lines))
    await scenario.build(app, note)
    await app.ready()
    await scenario.whenReady?.(app, note)
    const { requests = [] } = scenario
    for (const request of typeof requests === 'function' ? requests() : requests) {
      note('>', request)
      note(await answerOf(app, request))
    }
    note('close', (await outcomeOf(app.close())).kind)
  } catch (error) {
    note('error', error)
  }
  // Warnings come in a later turn.
  await turns(1)
  process.removeListener('warning', warn)
  return seen
}

async function answerOf(app: FastifyInstance, request: string | InjectOptions): Promise<string> {
  const outcome = await outcomeOf(app.inject(request))
  await turns(2)
  if (outcome.kind === 'never') return 'no answer'
  if (outcome.kind === 'error') return `failed ${show(outcome.error)}`
  const { statusCode, headers, rawPayload, raw } = outcome.value
  const { date: _date, ...rest } = headers
  // After an error of the body, Fastify 4.21 keeps the connection open.
  if (statusCode >= 400) delete rest.connection
  const { trailers } = raw.res as unknown as { trailers?: object }
  return [statusCode, JSON.stringify(rest), rawPayload.toString(), show(trailers)].join(' ')
}

/** Returns equal texts for equal values. */
export function show(value: unknown): string {
  if (value instanceof Error) {
    const { code, message, statusCode, validation, validationContext } = value as Error &
      Record<string, unknown>
    const base = Object.prototype.toString.call(value) + (value instanceof TypeError ? 'T' : '')
    return JSON.stringify([base, code, message, statusCode, validation, validationContext])
  }
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'symbol' || value === undefined) return String(value)
  if (value instanceof Readable) return 'stream'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toStableLog(line: string): string {
  const {
    time: _time,
    pid: _pid,
    hostname: _hostname,
    responseTime,
    err,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>
  const { stack: _stack, ...error } = (err ?? {}) as Record<string, unknown>
  return JSON.stringify({ ...rest, ...(err ? { err: error } : {}), took: typeof responseTime })
}

/** Notes the outcome of each call: the type of the result, or the error. */
export function tryAll(note: Note, calls: readonly (() => unknown)[]): void {
  for (const call of calls) {
    try {
      note('returned', typeof call())
    } catch (error) {
      note(error)
    }
  }
}
