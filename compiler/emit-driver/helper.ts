import { Worker } from 'node:worker_threads'
import type { CompileUnit } from '../model/index.ts'
import type { Compiled } from './compile-unit.ts'
import type { Answer, Batch, ThreadData } from './thread.ts'

/** A thread that compiles units which are plain data. */
export interface Helper {
  /** Rejects with what has gone wrong in the compiler itself. */
  compile(units: readonly CompileUnit[]): Promise<readonly Compiled[]>
  end(): Promise<number>
}

/** Later releases of V8 take five times as much for young objects, and compile no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 }

interface Waiting {
  resolve(compiled: readonly Compiled[]): void
  reject(error: unknown): void
}

export function createHelper(line: ThreadData): Helper {
  const { validators, serializers } = line
  const workerData: ThreadData = { validators, serializers }
  // What is preloaded is for the application, which does not get here.
  const options = { workerData, execArgv: [], resourceLimits }
  const thread = new Worker(new URL('./thread.js', import.meta.url), options)
  const waiting = new Map<number, Waiting>()
  const numbers = new Map<CompileUnit['options'], number>()
  let batches = 0
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  thread.on('message', ({ id, compiled }: Answer) => {
    waiting.get(id)?.resolve(compiled)
    waiting.delete(id)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('A thread of the build has ended.')))
  return { compile, end: () => thread.terminate() }

  function compile(units: readonly CompileUnit[]): Promise<readonly Compiled[]> {
    const id = batches++
    const options = units.flatMap((unit) => tell(unit.options))
    const batch: Batch = {
      id,
      options,
      units: units.map(({ kind, digest, schema, externals, options: one }) => {
        return { kind, digest, schema, externals, options: numbers.get(one) as number }
      }),
    }
    return new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure as Error)
      waiting.set(id, { resolve, reject })
      thread.postMessage(batch)
    })
  }

  /** The options with their number, when the thread does not have them yet. */
  function tell(options: CompileUnit['options']): Batch['options'] {
    if (numbers.has(options)) return []
    const number = numbers.size
    numbers.set(options, number)
    return [[number, options]]
  }
}
