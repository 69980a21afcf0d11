/** Compares emitted validators with those that Fastify compiles in process, for every option of Ajv. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import type { CompiledValidator, CompileUnit } from '../../../runtime/artifact/index.ts'
import {
  commonSchemas,
  declaredOptions,
  optionCases,
  type OptionCase,
  type SchemaSample,
} from '../../support/ajv-options.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { overTheWire, runWithoutCodegen, type NoCodegenJob } from '../../support/no-codegen.ts'
import { runValidator, type Outcome } from '../../support/outcome.ts'
import { origins } from '../../support/units.ts'
import * as functions from '../../support/user-functions.ts'

const externals = {
  shared: { $id: 'shared', type: 'object', properties: { p: { type: 'integer' } } },
}

test('there is a case for each option that Ajv declares', () => {
  const untried = declaredOptions().filter((option) => !(option in optionCases))
  assert.deepEqual(untried, [])
})

const jobs: NoCodegenJob[] = []
const expectedOfJobs: Outcome[][] = []

for (const [option, cases] of Object.entries(optionCases)) {
  for (const one of cases) {
    const { customOptions, mode } = one
    const shown = JSON.stringify(customOptions, (_key, value: unknown) =>
      typeof value === 'function' ? `function ${value.name}` : value,
    )
    test(`${option}: ${shown}${mode === undefined ? '' : ` in mode ${String(mode)}`}`, () => {
      compareUnder(one)
    })
  }
}

test('emitted code behaves the same with code generation disabled', () => {
  assert.deepEqual(runWithoutCodegen(jobs), expectedOfJobs)
})

function compareUnder({ customOptions, mode, schemas = [], refused }: OptionCase): void {
  const options = {
    customOptions: { logger: functions.logger, ...customOptions },
    plugins: [],
    ...(mode === undefined ? {} : { mode }),
  }
  const common = { kind: 'validator', options, externals: mode === 'JTD' ? {} : externals } as const
  const oracle = attempt(() => createOracle(common))
  const emitter = createEmitter({ origins })
  for (const [i, sample] of [...schemas, ...(mode === 'JTD' ? [] : commonSchemas)].entries()) {
    const unit: CompileUnit = { ...common, schema: sample.schema, digest: '' }
    const theirs = attempt(() => {
      if (oracle.value === undefined) throw new Error(oracle.error)
      return oracle.value(sample.schema) as CompiledValidator
    })
    const ours = attempt(() => emitter.emit(unit))
    const shown = JSON.stringify(sample.schema)
    if (refused?.test(String(ours.error))) continue
    assert.equal(ours.error, theirs.error, shown)
    const logged = i === 0 ? [...oracle.logged, ...theirs.logged] : theirs.logged
    if (oracle.value !== undefined) assert.deepEqual(ours.logged, logged, shown)
    if (ours.value === undefined || theirs.value === undefined) continue
    const expected = attempt(() => outcomesOf(theirs.value as CompiledValidator, sample))
    const hasImports = ours.value.userImports.length > 0
    const code = hasImports ? emitter.emitInProcess(unit) : { ...ours.value, memoryValues: [] }
    const live = evaluate(code) as CompiledValidator
    const actual = attempt(() => outcomesOf(live, sample))
    assert.deepEqual(actual, expected, shown)
    jobs.push({ kind: 'validator', emitted: ours.value, inputs: sample.inputs })
    expectedOfJobs.push(overTheWire(expected.value as Outcome[]))
  }
}

interface Attempt<T> {
  readonly value?: T
  readonly error?: string
  /** The calls of a logger. */
  readonly logged: readonly unknown[]
}

function attempt<T>(action: () => T): Attempt<T> {
  const { logged } = functions.logger
  logged.length = 0
  try {
    return { value: action(), logged: [...logged] }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { error: error.message, logged: [...logged] }
  }
}

function outcomesOf(validate: CompiledValidator, { inputs }: SchemaSample): Outcome[] {
  return inputs.map((input) => runValidator(validate, input))
}
