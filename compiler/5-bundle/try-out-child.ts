/** The process of a `TryOut`. It is told when the functions are there. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CompiledFunction, Digest, OptionPath } from '../../runtime/artifact/index.ts'
import type { Maker } from '../../runtime/artifact/functions/made.ts'
import * as internals from '../../runtime/internal.ts'

export interface TryJob {
  readonly digest: Digest
  readonly values: readonly unknown[]
}

export interface TriedFailure {
  /** The place of the job. */
  readonly index: number
  readonly reason: string
}

/** Where the functions are, and how many chunks. */
export interface Trial {
  readonly folder: string
  readonly chunkCount: number
}

/** What it says: that it has come one chunk further, and at last what went wrong. */
export type Told = 'alive' | readonly TriedFailure[]

type ChunkModule = (given: object) => readonly Maker[]

const [{ folder, chunkCount }] = (await once(process, 'message')) as [Trial]
const require = createRequire(join(folder, 'jobs.json'))
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const jobs = read('jobs.json') as readonly TryJob[]
const names = read('options.json') as Readonly<Record<string, string>>
const failures: TriedFailure[] = []

let index = 0
for (let i = 0; i < chunkCount; i++) {
  for (const make of makersOf(i)) {
    await tryFunction(make, index)
    index++
  }
  process.send?.('alive')
}
process.send?.(failures, () => process.exit())

/** The application's own functions, which are in a module here. */
function take(option: OptionPath): unknown {
  const user = require('./user.mjs') as Record<string, unknown>
  return user[names[JSON.stringify(option)] ?? '']
}

/** When the modules of the application do not load, none of the functions works. */
function makersOf(chunk: number): readonly Maker[] {
  try {
    return (require(`./${chunk}.cjs`) as ChunkModule)(internals)
  } catch (error) {
    fail(index, error)
    return []
  }
}

async function tryFunction(make: Maker, at: number): Promise<void> {
  const { values } = jobs[at] as TryJob
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
        // A keyword may wait for what there is not; whoever calls it at all has been shown to work.
        await Promise.race([result, setImmediate()])
      }
    } catch (error) {
      if (!isBroken(error)) continue
      fail(at, error)
      return
    }
  }
}

/** Serializers throw at values that do not fit, and functions of the application at what they please. */
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
