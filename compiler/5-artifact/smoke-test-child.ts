/** The process of a `SmokeTest`. It waits for a message that says where the functions are. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CompiledFunction, Digest, OptionPath } from '../../runtime/artifact/index.ts'
import type { Maker } from '../../runtime/artifact/functions/index.ts'
import * as internals from '../../runtime/internal.ts'

export interface SmokeJob {
  readonly digest: Digest
  readonly values: readonly unknown[]
}

export interface SmokeFailure {
  /** The position of the job. */
  readonly index: number
  readonly reason: string
}

export interface SmokeRun {
  readonly folder: string
  /** Numbers of functions in the chunks, whose files are named by their position. */
  readonly counts: readonly number[]
}

/** `alive` after each chunk, and all failures at the end. */
export type SmokeMessage = 'alive' | readonly SmokeFailure[]

type ChunkModule = (given: object) => readonly Maker[]

const [{ folder, counts }] = (await once(process, 'message')) as [SmokeRun]
const require = createRequire(join(folder, 'jobs.json'))
const jobs = require('./jobs.json') as readonly SmokeJob[]
const failures: SmokeFailure[] = []

let first = 0
for (const [chunk, count] of counts.entries()) {
  for (const [i, make] of makersOf(chunk).entries()) await tryFunction(make, first + i)
  first += count
  process.send?.('alive')
}
process.send?.(failures, () => process.exit())

/** Takes functions of the application from a module, instead of its options. */
function take(option: OptionPath): unknown {
  const user = require('./user.mjs') as { default: Record<string, unknown> }
  return user.default[JSON.stringify(option)]
}

/** Loads a chunk. If that fails, its first function is reported. */
function makersOf(chunk: number): readonly Maker[] {
  try {
    return (require(`./${chunk}.cjs`) as ChunkModule)(internals)
  } catch (error) {
    fail(first, error)
    return []
  }
}

async function tryFunction(make: Maker, at: number): Promise<void> {
  const { values } = jobs[at] as SmokeJob
  let compiled: CompiledFunction
  try {
    compiled = make(take)
  } catch (error) {
    fail(at, error)
    return
  }
  for (const value of values) {
    try {
      const result: unknown = compiled(value)
      if (result instanceof Promise) {
        // A keyword may wait for something that doesn't exist here. That it was called is enough.
        await Promise.race([result, setImmediate()])
      }
    } catch (error) {
      if (!isBroken(error)) continue
      fail(at, error)
      return
    }
  }
}

/** Returns whether an error shows broken code. Others come from values that don't fit, or from functions of the application. */
function isBroken(error: unknown): boolean {
  if (error instanceof EvalError || error instanceof ReferenceError) return true
  if (!(error instanceof TypeError) || !/ is not a (?:function|constructor)/.test(error.message)) {
    return false
  }
  const [, place = ''] = String(error.stack).split('\n    at ')
  return /[\\/]\d+\.cjs:/.test(place)
}

function fail(at: number, error: unknown): void {
  failures.push({ index: at, reason: error instanceof Error ? error.message : String(error) })
}
