import { Worker } from 'node:worker_threads'
import type { CompileUnit } from '../model/index.ts'
import type { Compiled } from './compile-unit.ts'
import type { Batch, CompiledBatch, ThreadData } from './thread.ts'

/** A thread that compiles units of plain data. */
export interface CompileThread {
  /** Rejects with an error of the compiler itself. */
  compile(units: readonly CompileUnit[]): Promise<readonly Compiled[]>
  end(): Promise<number>
}

/** Later releases of V8 use five times as much memory for young objects by default, and compile no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 }

interface Waiting {
  resolve(compiled: readonly Compiled[]): void
  reject(error: unknown): void
}

export function startCompileThread(line: ThreadData): CompileThread {
  const { validators, serializers } = line
  const workerData: ThreadData = { validators, serializers }
  // Preloaded modules are meant for the application, which this thread never loads.
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
  thread.on('message', ({ id, compiled }: CompiledBatch) => {
    waiting.get(id)?.resolve(compiled)
    waiting.delete(id)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('A thread of the build has ended.')))
  return { compile, end: () => thread.terminate() }

  function compile(units: readonly CompileUnit[]): Promise<readonly Compiled[]> {
    const id = batches++
    const options = units.flatMap((unit) => newOptions(unit.options))
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

  /** The options with a number, unless the thread has them already. */
  function newOptions(options: CompileUnit['options']): Batch['options'] {
    if (numbers.has(options)) return []
    const number = numbers.size
    numbers.set(options, number)
    return [[number, options]]
  }
}
