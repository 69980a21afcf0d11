/** The program of a compile thread. It receives plain data alone: no module of the application is loaded here. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEmitter } from '../4-emit/index.ts'
import type { TargetProfile } from '../target-profiles/index.ts'
import type { CompileUnit } from '../model/index.ts'
import { keepErrors } from '../report/thread-errors.ts'
import { createUnitCompiler, type Compiled } from './compile-unit.ts'

/** The settings of the target that it compiles for. */
export type ThreadData = Pick<TargetProfile, 'validators' | 'serializers'>

export interface Batch {
  readonly id: number
  /** Options by number, if they weren't sent before. The emitter keeps a compiler for each options object. */
  readonly options: readonly (readonly [number, CompileUnit['options']])[]
  readonly units: readonly (Omit<CompileUnit, 'options'> & { readonly options: number })[]
}

export interface CompiledBatch {
  readonly id: number
  /** In the order of the units. */
  readonly compiled: readonly Compiled[]
}

const port = parentPort
if (port === null) throw new Error('This module is a thread of `compileAll`.')
keepErrors()
const optionsByNumber = new Map<number, CompileUnit['options']>()
const compile = createUnitCompiler(createEmitter({ profile: workerData as ThreadData }))

// An error of the compiler itself ends the thread, which emits it.
port.on('message', ({ id, options, units }: Batch) => {
  for (const [number, one] of options) optionsByNumber.set(number, one)
  const compiled = units.map((unit) =>
    compile({ ...unit, options: optionsByNumber.get(unit.options) as CompileUnit['options'] }),
  )
  port.postMessage({ id, compiled } satisfies CompiledBatch)
})
