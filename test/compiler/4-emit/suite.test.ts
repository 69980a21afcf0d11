/** Runs the JSON Schema Test Suite, and compares emitted validators with those that Ajv compiles with Fastify's options. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import type {
  CompiledFunction,
  CompiledValidator,
  CompileUnit,
} from '../../../runtime/artifact/index.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { readSuite } from '../../support/json-schema-suite.ts'
import { runWithoutCodegen, type NoCodegenJob } from '../../support/no-codegen.ts'
import { runValidator, type Outcome } from '../../support/outcome.ts'
import { suiteContexts } from '../../support/suite-contexts.ts'

const AT_LEAST = 400

const all = suiteContexts()
for (const draft of new Set(all.map((one) => one.draft))) {
  const contexts = all.filter((one) => one.draft === draft)
  const jobs: NoCodegenJob[] = []
  const expected: Outcome[][] = []
  let refused = 0
  for (const { customOptions, context } of contexts) {
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
          const validate = evaluate({ ...emitted, memoryValues: [] }) as CompiledValidator
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
    assert.ok(jobs.length > AT_LEAST, `only ${jobs.length} compiled, ${refused} refused`)
    assert.deepEqual(runWithoutCodegen(jobs), expected)
  })
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
