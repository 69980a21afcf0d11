/** Random schemas over all keywords with values that nearly fit: emitted against compiled in process. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createEmitter, EmitError } from '../../compiler/4-emit/index.ts'
import { evaluate } from '../../compiler/development.ts'
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
} from '../../runtime/artifact/index.ts'
import { compileWithOracle } from '../support/compile-oracle.ts'
import { overTheWire, runWithoutCodegen, type NoCodegenJob } from '../support/no-codegen.ts'
import { runSerializer, runValidator, withoutCounts, type Outcome } from '../support/outcome.ts'
import { schemaCase } from '../support/random-schemas.ts'
import { asApplicationValue, createRandom, valueFor } from '../support/random-values.ts'

const numRuns = Number(process.env.EMIT_RUNS ?? 400)
const seed = Number(process.env.EMIT_SEED ?? 20240229)
const VALUES = 8

const validatorOptions = [
  {},
  { allErrors: true },
  { removeAdditional: 'all' },
  { removeAdditional: 'failing' },
  { removeAdditional: false },
  { useDefaults: 'empty' },
  { coerceTypes: false },
  { coerceTypes: true },
  { verbose: true },
  { $data: true },
  { messages: false },
  { ownProperties: true },
  { inlineRefs: false },
  { unicodeRegExp: false },
  { strictSchema: false },
  { loopEnum: 1, loopRequired: 1 },
].map((customOptions) => ({ customOptions, plugins: [] }))

const serializerOptions = [
  {},
  { rounding: 'ceil' },
  { rounding: 'floor' },
  { rounding: 'round' },
  { largeArrayMechanism: 'json-stringify', largeArraySize: 2 },
  { objectMechanism: 'native' },
]

const emitter = createEmitter()
let emittedCount = 0

test('random validators', () => {
  const jobs: NoCodegenJob[] = []
  const expected: Outcome[][] = []
  const anyOptions = fc.constantFrom(...validatorOptions)
  const property = fc.property(schemaCase, anyOptions, fc.nat(), (schemas, options, valueSeed) => {
    const unit: CompileUnit = { kind: 'validator', digest: '', ...schemas, options }
    const compiled = compileBoth(unit)
    if (compiled === undefined) return
    const random = createRandom(valueSeed)
    const { schema, externals } = schemas
    const inputs = Array.from({ length: VALUES }, () => valueFor(schema, random, schema, externals))
    const outcomes = inputs.map((input) =>
      runValidator(compiled.oracle as CompiledValidator, input),
    )
    const actual = inputs.map((input) => runValidator(compiled.ours as CompiledValidator, input))
    assertSame(actual, outcomes)
    jobs.push({ kind: 'validator', emitted: compiled.emitted, inputs })
    expected.push(outcomes)
  })
  fc.assert(property, { numRuns, seed })
  // A shrinking failure would add many; a passing run adds one for each schema that was not refused.
  assert.ok(jobs.length > numRuns / 2, `only ${jobs.length} compiled`)
  assertSame(runWithoutCodegen(jobs), overTheWire(expected))
})

test('random serializers', () => {
  let compiledCount = 0
  const anyOptions = fc.constantFrom(...serializerOptions)
  const property = fc.property(schemaCase, anyOptions, fc.nat(), (schemas, options, valueSeed) => {
    const unit: CompileUnit = { kind: 'serializer', digest: '', ...schemas, options }
    const compiled = compileBoth(unit)
    if (compiled === undefined) return
    compiledCount++
    const random = createRandom(valueSeed)
    const { schema, externals } = schemas
    for (let i = 0; i < VALUES; i++) {
      const input = asApplicationValue(valueFor(schema, random, schema, externals), random)
      assert.deepEqual(
        runSerializer(compiled.ours as CompiledSerializer, input),
        runSerializer(compiled.oracle as CompiledSerializer, input),
      )
    }
  })
  fc.assert(property, { numRuns, seed })
  assert.ok(compiledCount > numRuns / 2, `only ${compiledCount} compiled`)
})

/** `undefined` when both refuse the schema, with one message. */
function compileBoth(
  unit: CompileUnit,
):
  | { ours: CompiledFunction; oracle: CompiledFunction; emitted: NoCodegenJob['emitted'] }
  | undefined {
  let oracle: CompiledFunction | undefined
  let refusal: string | undefined
  try {
    oracle = compileWithOracle(unit)
  } catch (error) {
    refusal = withoutCounts((error as Error).message)
  }
  try {
    const before = JSON.stringify(unit)
    const emitted = emitter.emit(unit)
    assert.equal(JSON.stringify(unit), before, 'a unit is never changed')
    if (++emittedCount % 20 === 0) assert.deepEqual(createEmitter().emit(unit), emitted)
    assert.equal(refusal, undefined)
    const ours = evaluate({ ...emitted, liveValues: [] })
    return { ours, oracle: oracle as CompiledFunction, emitted }
  } catch (error) {
    if (!(error instanceof EmitError)) throw error
    if (unit.kind === 'serializer' && refusal === undefined && isLazyRefusal(error))
      return undefined
    assert.equal(withoutCounts(error.message), refusal)
    return undefined
  }
}

/**
 * fast-json-stringify compiles the branches of a union when a value first meets them; we refuse at build
 * time what would throw there. Of what is generated here those are branches whose path has a lone surrogate
 * or a line separator in it, which Ajv does not find again.
 */
function isLazyRefusal({ message }: EmitError): boolean {
  return message === 'URI malformed' || message.startsWith('no schema with key or ref')
}

/** Deeply equal, and so is the order of keys. */
function assertSame(actual: unknown, expected: unknown): void {
  assert.deepEqual(actual, expected)
  assert.equal(JSON.stringify(actual), JSON.stringify(expected))
}
