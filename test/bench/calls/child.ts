/**
 * `child.js <contestant> <chunk> <titles as JSON>`, where the contestant is `emitted` or a line of Fastify: measures one
 * contestant in a process that the other has not touched, whenever it is told to.
 *
 * Of one case the engine sees its calls alone. Of several it sees all of them before any is measured, as in a server:
 * what the functions share has then been called with everything.
 */
import { createRequire } from 'node:module'
import type { CompiledFunction } from '../../../runtime/artifact/index.ts'
import type { Maker } from '../../../runtime/artifact/functions/made.ts'
import type { Line } from '../../../runtime/artifact/lines.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { cases, type Case } from './cases.ts'

/** What the functions make of their values: the first message. */
export interface Ready {
  readonly outcomes: Readonly<Record<string, unknown>>
}

/** The answer to each message that says how often to measure each case. */
export interface Turn {
  /** Nanoseconds for a call. */
  readonly ns: Readonly<Record<string, number>>
}

type Run = (value: unknown) => unknown

const [, , contestant = '', chunk = '', titlesText = '[]'] = process.argv
const titles = JSON.parse(titlesText) as string[]
const runs = await compile()
const outcomes = Object.fromEntries(titles.map((title) => [title, outcomeOf(title)]))
/** Read by nobody, but the engine does not know. */
let sink = 0

process.on('message', (measurements: number) => {
  const ns = Object.fromEntries(titles.map((title) => [title, lowerQuartile(title, measurements)]))
  process.send?.({ ns, sink })
})
process.send?.({ outcomes })

async function compile(): Promise<ReadonlyMap<string, Run>> {
  if (contestant !== 'emitted') {
    const compiled = ({ unit }: Case): Run =>
      createOracle(unit, contestant as Line)(unit.schema) as Run
    return new Map(titles.map((title) => [title, compiled(caseOf(title))]))
  }
  // The file that applications have, rather than the one of this checkout's parts.
  const internals = (await import('framework/internal')) as Readonly<Record<string, unknown>>
  const { makers, all } = createRequire(import.meta.url)(chunk) as {
    readonly all: readonly string[]
    readonly makers: (given: typeof internals) => readonly Maker[]
  }
  const made = makers(internals)
  return new Map(titles.map((title) => [title, made[all.indexOf(title)]?.(() => undefined) as Run]))
}

function outcomeOf(title: string): unknown {
  const run = runs.get(title) as CompiledFunction
  const { value, revive } = caseOf(title)
  const copy = structuredClone(value)
  const result = run(revive(copy as never) as never)
  return [result, copy, 'errors' in run ? run.errors : undefined]
}

/** The slower ones are those that the machine or the garbage collector has interrupted. */
function lowerQuartile(title: string, measurements: number): number {
  const times = Array.from({ length: measurements }, () => measure(title)).sort((a, b) => a - b)
  return times[Math.floor(measurements / 4)] as number
}

/** Nanoseconds for each of some calls, which have values of their own: coercion and defaults write into them. */
function measure(title: string): number {
  const run = runs.get(title) as Run
  const { value, revive } = caseOf(title)
  const text = JSON.stringify(value)
  const calls = Math.ceil(200_000 / (200 + text.length))
  const values = Array.from({ length: calls }, () => revive(JSON.parse(text) as never))
  return 'errors' in run ? validateAll(run, values) : serializeAll(run, values)
}

function validateAll(run: Run, values: readonly unknown[]): number {
  const start = performance.now()
  for (const value of values) if (run(value) === true) sink++
  return ((performance.now() - start) * 1e6) / values.length
}

function serializeAll(run: Run, values: readonly unknown[]): number {
  const start = performance.now()
  for (const value of values) sink += (run(value) as string).length
  return ((performance.now() - start) * 1e6) / values.length
}

function caseOf(title: string): Case {
  return cases[title] as Case
}
