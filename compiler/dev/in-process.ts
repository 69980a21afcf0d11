/** Compiles in process, for development: the very text that a build emits, evaluated. */
import { isMainThread } from 'node:worker_threads'
import type { CompiledFunction, CompileUnit } from '../../runtime/artifact/index.ts'
import type { DevelopmentCompiler } from '../../runtime/artifact/registry.ts'
import * as internal from '../../runtime/internal.ts'
import { createEmitter, type InProcessUnit } from '../4-emit/index.ts'
export { VERSION } from '../../runtime/artifact/version.ts'
import { problemsOfProgram } from './explain-failure.ts'
import { explainFailures, isUncaught, showUncaught } from '../failures/index.ts'
import { refuseWrongVersions } from '../versions/check.ts'

refuseWrongVersions()

const emitter = createEmitter({ logger: console })

/** Throws an EmitError, with the message of Ajv or fast-json-stringify, when the unit cannot be compiled. */
export const compileInProcess: DevelopmentCompiler = Object.assign(
  (unit: CompileUnit) => evaluate(emitter.emitInProcess(unit)),
  { tellFailures },
)

/** Errors say where they come from, and those that end the process are shown with their place. */
function tellFailures(): void {
  explainFailures(problemsOfProgram)
  // A tool has started this, such as a runner of tests: it shows errors its own way.
  if (process.send !== undefined || !isMainThread) return
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    if (isUncaught() && showUncaught(error)) process.exit(1)
  })
}

/** Runs the statements of a unit in a scope of their own. */
export function evaluate({ code, name, imports, memoryValues }: InProcessUnit): CompiledFunction {
  const names = [...imports, ...memoryValues.map(({ local }) => local)]
  const exports = internal as unknown as Readonly<Record<string, unknown>>
  const values = [
    ...imports.map((name) => exports[name]),
    ...memoryValues.map(({ value }) => value),
  ]
  // Not strict, like what Ajv evaluates: it does not throw where it writes to what cannot be written to.
  const body = `${code}\nreturn ${name}`
  // oxlint-disable-next-line no-new-func -- the purpose of this file; nothing of the runtime reaches it
  return Function(...names, body)(...values) as CompiledFunction
}
