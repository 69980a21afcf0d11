/** Every case of the JSON Schema Test Suite, emitted against what Ajv compiles in process under Fastify's options. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/development.ts'
import type {
  CompiledFunction,
  CompiledValidator,
  CompileUnit,
  ValidatorOptions,
} from '../../../runtime/artifact/index.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { readRemotes, readSuite, type Draft } from '../../support/json-schema-suite.ts'
import { runWithoutCodegen, type NoCodegenJob } from '../../support/no-codegen.ts'
import { runValidator, type Outcome } from '../../support/outcome.ts'

const require = createRequire(import.meta.url)

/** Strict mode, which is Fastify's, refuses much of the suite; so it also runs without. */
const optionSets = [{}, { strict: false, coerceTypes: false, removeAdditional: false }]

const drafts: readonly { draft: Draft; options: Partial<ValidatorOptions>; atLeast: number }[] = [
  { draft: 'draft6', options: { plugins: [addDraft6] }, atLeast: 400 },
  { draft: 'draft7', options: {}, atLeast: 400 },
  { draft: 'draft2019-09', options: { mode: '2019' }, atLeast: 400 },
  { draft: 'draft2020-12', options: { mode: '2020' }, atLeast: 400 },
]

for (const { draft, options, atLeast } of drafts) {
  const remotes = acceptable(draft, options)
  const jobs: NoCodegenJob[] = []
  const expected: Outcome[][] = []
  let refused = 0
  for (const customOptions of optionSets) {
    const given = { plugins: [], ...options, customOptions }
    const context = { kind: 'validator' as const, externals: remotes, options: given }
    const compileWithOracle = createOracle(context)
    const emitter = createEmitter()

    for (const [file, groups] of readSuite(draft)) {
      test(`${draft}, ${JSON.stringify(customOptions)}: ${file}`, () => {
        for (const { description, schema, tests } of groups) {
          const unit: CompileUnit = { ...context, digest: '', schema }
          const oracle = attempt(() => compileWithOracle(schema) as CompiledValidator)
          const emitted = attempt(() => emitter.emit(unit))
          assert.equal(messageOf(emitted), messageOf(oracle), description)
          if (oracle instanceof Error || emitted instanceof Error) {
            refused++
            continue
          }
          const inputs = tests.map(({ data }) => data)
          const outcomes = inputs.map((data) => runValidator(oracle, data))
          const validate = evaluate({ ...emitted, liveValues: [] }) as CompiledValidator
          assert.deepEqual(
            inputs.map((data) => runValidator(validate, data)),
            outcomes,
            description,
          )
          jobs.push({ kind: 'validator', emitted, inputs })
          expected.push(outcomes)
        }
      })
    }
  }

  test(`${draft}: the whole suite gives the same where code generation is refused`, () => {
    assert.ok(jobs.length > atLeast, `only ${jobs.length} compiled, ${refused} refused`)
    assert.deepEqual(runWithoutCodegen(jobs), expected)
  })
}

/** Strict options of Ajv may refuse a remote schema altogether; no test can refer to such a one. */
function acceptable(draft: Draft, options: Partial<ValidatorOptions>): Record<string, unknown> {
  const remotes = Object.entries(readRemotes(draft)).filter(([id, schema]) => {
    const given = { plugins: [], customOptions: {}, ...options }
    const context = { kind: 'validator' as const, externals: { [id]: schema }, options: given }
    return !(attempt(() => createOracle(context)) instanceof Error)
  })
  return Object.fromEntries(remotes)
}

function addDraft6(ajv: { addMetaSchema(schema: unknown): void }): void {
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
}

function attempt<T>(action: () => T): T | Error {
  try {
    return action()
  } catch (error) {
    return error as Error
  }
}

function messageOf(value: CompiledFunction | object): string | undefined {
  return value instanceof Error ? value.message : undefined
}
