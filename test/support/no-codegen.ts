/** Runs emitted units in a process that refuses to evaluate strings. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { extractSharedFunctions } from '../../compiler/4-emit/index.ts'
import { createPacker } from '../../compiler/emit-driver/compile-unit.ts'
import type { EmittedUnit } from '../../compiler/model/index.ts'
import type { CompileUnit } from '../../runtime/artifact/index.ts'
import type { Sample } from '../fuzz/values.ts'
import { temporaryFolder, thisProcess } from './folders.ts'
import type { Outcome } from './outcome.ts'

export interface NoCodegenJob {
  readonly kind: CompileUnit['kind']
  readonly emitted: EmittedUnit
  readonly inputs: readonly unknown[]
}

const folder = temporaryFolder(thisProcess)

/** Number of jobs per process: their outcomes have to fit into one buffer. */
const BATCH = 1000

/** Returns the outcomes of each job's inputs, in order. */
export function runWithoutCodegen(jobs: readonly NoCodegenJob[]): Outcome[][] {
  const outcomes: Outcome[][] = []
  for (let i = 0; i < jobs.length; i += BATCH) {
    const batch = jobs.slice(i, i + BATCH)
    const calls = batch.map(({ kind, inputs }) => ({ kind, inputs }))
    const units = batch.map(({ emitted }) => emitted)
    outcomes.push(...answersWithoutCodegen<Outcome>(units, calls))
  }
  return outcomes
}

/** The inputs of a unit, or the sample that they are generated from, whose outcomes are texts. */
export type Calls = Omit<NoCodegenJob, 'emitted'> | Sample

export function answersWithoutCodegen<Answer>(
  units: readonly EmittedUnit[],
  calls: readonly Calls[],
): Answer[][] {
  const at = (name: string): string => join(folder, name)
  writeFileSync(at('units.mjs'), moduleOf(units))
  writeFileSync(at('calls'), serialize(calls))
  const child = new URL('no-codegen-child.js', import.meta.url).pathname
  const flag = '--disallow-code-generation-from-strings'
  execFileSync(process.execPath, [flag, child, at('units.mjs'), at('calls'), at('answers')])
  return deserialize(readFileSync(at('answers'))) as Answer[][]
}

/** Returns a value as another process receives it, without `null` prototypes, for example. */
export function overTheWire<T>(value: T): T {
  return deserialize(serialize(value)) as T
}

/** Returns an ES module with a function per unit, minified and with shared code extracted, as in an artifact. */
export function moduleOf(emitted: readonly EmittedUnit[]): string {
  const pack = createPacker()
  const units = emitted.map((unit) => pack(extractSharedFunctions(unit)))
  const shared = new Map(units.flatMap((unit) => unit.shared.map((one) => [one.name, one])))
  const imports = [
    ...new Set([...units, ...shared.values()].flatMap(({ imports }) => imports)),
  ].sort()
  const internal = new URL('../../runtime/internal.js', import.meta.url).href
  const modules = [
    ...new Set(units.flatMap(({ userImports }) => userImports.map(({ ref }) => ref))),
  ]
  const functions = units.map(({ maker, userImports }) => {
    const locals = userImports.map(
      ({ local, ref }) => `const ${local} = module${modules.indexOf(ref)}.${ref.name}\n`,
    )
    return `() => {\n${locals.join('')}return (${maker})()\n}`
  })
  return [
    `import { ${imports.join(', ')} } from ${JSON.stringify(internal)}`,
    ...modules.map(({ specifier }, i) => {
      return `import * as module${i} from ${JSON.stringify(pathToFileURL(specifier).href)}`
    }),
    ...[...shared.values()].map(({ name, code }) => `const ${name} = ${code}`),
    `export const units = [${functions.join(',\n')}]`,
  ].join('\n')
}
