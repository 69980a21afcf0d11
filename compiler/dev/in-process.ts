/** Compiles in process, for development: evaluates the same code that a build emits. */
import { isMainThread } from 'node:worker_threads'
import type { CompiledFunction, CompileUnit } from '../../runtime/artifact/index.ts'
import type { DevelopmentCompiler } from '../../runtime/artifact/registry.ts'
import * as internal from '../../runtime/internal.ts'
import type { LineName } from '../../runtime/artifact/lines.ts'
import { createEmitter, type Emitter, type InProcessUnit } from '../4-emit/index.ts'
import { profileOf } from '../servers/index.ts'
import { problemsOfProgram } from './explain-failure.ts'
import { explainFailures, isUncaught, showUncaught } from './failures/index.ts'
import { refuseWrongVersions } from '../packages/compiler-versions.ts'

/** The runtime compares it with its own. */
export { VERSION } from '../../runtime/artifact/version.ts'

refuseWrongVersions()

/** By line: each has its own formats and its own serializers. */
const emitters = new Map<LineName, Emitter>()

function emitterOf(line: LineName): Emitter {
  let emitter = emitters.get(line)
  if (emitter === undefined) {
    emitter = createEmitter({ logger: console, profile: profileOf(line) })
    emitters.set(line, emitter)
  }
  return emitter
}

/** Throws an EmitError if the unit can't be compiled. */
export const compileInProcess: DevelopmentCompiler = Object.assign(
  (unit: CompileUnit, line: LineName = 'framework') =>
    evaluate(emitterOf(line).emitInProcess(unit)),
  { reportFailures },
)

/** Adds places to errors, and prints those that end the process with their place in the source. */
function reportFailures(): void {
  explainFailures(problemsOfProgram)
  // A tool that has started this process, such as a test runner, prints errors itself.
  if (process.send !== undefined || !isMainThread) return
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    if (isUncaught() && showUncaught(error)) process.exit(1)
  })
}

/** Runs the statements of a unit in their own scope. */
export function evaluate({ code, name, imports, memoryValues }: InProcessUnit): CompiledFunction {
  const names = [...imports, ...memoryValues.map(({ local }) => local)]
  const exports = internal as Readonly<Record<string, unknown>>
  const values = [
    ...imports.map((name) => exports[name]),
    ...memoryValues.map(({ value }) => value),
  ]
  // Sloppy mode, like code that Ajv evaluates: writing to a read-only property doesn't throw.
  const body = `${code}\nreturn ${name}`
  // oxlint-disable-next-line no-new-func -- the purpose of this file, which production never loads
  return Function(...names, body)(...values) as CompiledFunction
}
