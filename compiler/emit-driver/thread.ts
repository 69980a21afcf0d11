/** A thread of `compileAll`. It has what it is given from data alone: no module of the application is loaded here. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEmitter } from '../4-emit/index.ts'
import type { TargetProfile } from '../target-profiles/index.ts'
import type { CompileUnit } from '../model/index.ts'
import { keepErrors } from '../report/thread-errors.ts'
import { createUnitCompiler, type Compiled } from './compile-unit.ts'

/** What it is told of the line that it compiles for. */
export type ThreadData = Pick<TargetProfile, 'validators' | 'serializers'>

export interface Batch {
  readonly id: number
  /** By number; those that have not been told before. Compilers are kept by the identity of options. */
  readonly options: readonly (readonly [number, CompileUnit['options']])[]
  readonly units: readonly (Omit<CompileUnit, 'options'> & { readonly options: number })[]
}

export interface Answer {
  readonly id: number
  /** In the order of the units. */
  readonly compiled: readonly Compiled[]
}

const port = parentPort
if (port === null) throw new Error('This module is a thread of `compileAll`.')
keepErrors()
const optionsByNumber = new Map<number, CompileUnit['options']>()
const compile = createUnitCompiler(createEmitter({ line: workerData as ThreadData }))

// An error of the compiler itself ends the thread, and is told by that.
port.on('message', ({ id, options, units }: Batch) => {
  for (const [number, one] of options) optionsByNumber.set(number, one)
  const compiled = units.map((unit) =>
    compile({ ...unit, options: optionsByNumber.get(unit.options) as CompileUnit['options'] }),
  )
  port.postMessage({ id, compiled } satisfies Answer)
})
