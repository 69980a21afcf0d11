/** Compiles many units: in this thread, and in others as well if there are many. */
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { CompileUnit } from '../model/index.ts'
import { isExactJson } from '../util/exact-text.ts'
import type { Compiled, UnitCompiler } from './compile-unit.ts'
import type { ThreadData } from './thread.ts'

/** A thread pays off from this number of units on: until it has loaded the compiler and is warm, this thread compiles about as many. */
const UNITS_PER_THREAD = 80

/** Each thread takes a hundred megabytes. */
const MAX_THREADS = 3

/** Number of units sent to a thread at a time: few, so that all threads finish at about the same time. */
const BATCH_SIZE = 8

/** Batches that a thread has at a time: while it compiles one, the next is waiting. */
const BATCHES_PER_THREAD = 2

/** Number of threads besides this one. */
export function threadsFor(count: number): number {
  const limit = Math.min(availableParallelism() - 1, MAX_THREADS)
  return Math.min(limit, Math.floor(count / UNITS_PER_THREAD))
}

/**
 * Compiles units in this thread, and in others as well if there are many. The result depends on the unit alone, so it is the
 * same in every thread.
 *
 * @returns the results in the order of the units
 */
export async function compileAll(
  units: readonly CompileUnit[],
  compile: UnitCompiler,
  profile: ThreadData,
  threads: number = threadsFor(units.length),
): Promise<readonly Compiled[]> {
  const results: Compiled[] = []
  /** Options and shared schemas, which many units have in common, and whether they are plain data. */
  const shared = new Map<unknown, boolean>()
  const isPlain = (value: unknown): boolean => {
    const result = shared.get(value) ?? isExactJson(value)
    shared.set(value, result)
    return result
  }
  // Other threads get exact copies of plain data, and none of functions and objects of classes.
  const isSendable = ({ schema, externals, options }: CompileUnit): boolean =>
    threads > 0 && isExactJson(schema) && [options, ...Object.values(externals)].every(isPlain)
  /** Indices of units that only this thread can compile, and of all others. In reverse order, because `pop` takes the last. */
  const localOnly: number[] = []
  const sendable: number[] = []
  for (let at = units.length - 1; at >= 0; at--)
    (isSendable(units[at] as CompileUnit) ? sendable : localOnly).push(at)
  const workers = Array.from({ length: threads }, () => startCompileThread(profile))
  try {
    const lanes = workers.flatMap((worker) =>
      Array.from({ length: BATCHES_PER_THREAD }, () => worker),
    )
    await Promise.all([compileHere(), ...lanes.map(compileThere)])
    return results
  } finally {
    await Promise.all(workers.map((worker) => worker.end()))
  }

  async function compileHere(): Promise<void> {
    let count = 0
    for (let at = next(); at !== undefined; at = next()) {
      results[at] = compile(units[at] as CompileUnit)
      // Lets the threads' messages be handled.
      if (++count % BATCH_SIZE === 0) await setImmediate()
    }
  }

  function next(): number | undefined {
    return localOnly.pop() ?? sendable.pop()
  }

  async function compileThere(worker: CompileThread): Promise<void> {
    while (sendable.length > 0) {
      const batch = sendable.splice(-BATCH_SIZE).reverse()
      const compiled = await worker.compile(batch.map((at) => units[at] as CompileUnit))
      for (const [i, at] of batch.entries()) results[at] = compiled[i] as Compiled
    }
  }
}

/** A thread that compiles units of plain data. */
interface CompileThread {
  /** Rejects with an error of the compiler itself. */
  compile(units: readonly CompileUnit[]): Promise<readonly Compiled[]>
  end(): Promise<number>
}

interface Waiting {
  resolve(compiled: readonly Compiled[]): void
  reject(error: unknown): void
}

/** Later releases of V8 use five times as much memory for young objects by default, and compile no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 }

function startCompileThread({ validators, serializers }: ThreadData): CompileThread {
  const workerData: ThreadData = { validators, serializers }
  // Preloaded modules are meant for the application, which this thread never loads.
  const options = { workerData, execArgv: [], resourceLimits }
  const thread = new Worker(new URL('./thread.js', import.meta.url), options)
  /** In the order of the batches, which is that of the answers. */
  const waiting: Waiting[] = []
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  thread.on('message', (compiled: readonly Compiled[]) => waiting.shift()?.resolve(compiled))
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('A thread of the build has ended.')))
  return {
    compile: (batch) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure as Error)
        waiting.push({ resolve, reject })
        thread.postMessage(
          batch.map(({ kind, digest, schema, externals, options }): CompileUnit => {
            return { kind, digest, schema, externals, options }
          }),
        )
      }),
    end: () => thread.terminate(),
  }
}
