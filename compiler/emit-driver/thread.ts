/** The program of a compile thread. It receives plain data alone: no module of the application is loaded here. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEmitter } from '../4-emit/index.ts'
import type { TargetProfile } from '../servers/index.ts'
import type { CompileUnit } from '../model/index.ts'
import { createUnitCompiler } from './compile-unit.ts'

/** The settings of the target that it compiles for. */
export type ThreadData = Pick<TargetProfile, 'validators' | 'serializers'>

const port = parentPort
if (port === null) throw new Error('This module is a thread of `compileAll`.')
const compile = createUnitCompiler(createEmitter({ profile: workerData as ThreadData }))
/** By their JSON: the emitter keeps instances of compilers for each object. */
const optionsByText = new Map<string, CompileUnit['options']>()

// An error of the compiler itself ends the thread, which emits it.
port.on('message', (units: readonly CompileUnit[]) => {
  const compiled = units.map((unit) => {
    const text = JSON.stringify(unit.options)
    const options = optionsByText.get(text) ?? unit.options
    optionsByText.set(text, options)
    return compile({ ...unit, options })
  })
  port.postMessage(compiled)
})
