/** One schema with some values: compares emitted code with code that Fastify compiles in process. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { createEmitter, EmitError, type Emitter } from '../../compiler/4-emit/index.ts'
import { profileOf } from '../../compiler/servers/index.ts'
import { evaluate } from '../../compiler/dev/in-process.ts'
import type { EmittedUnit } from '../../compiler/model/index.ts'
import type { CompileUnit } from '../../runtime/artifact/index.ts'
import type { LineName } from '../../runtime/artifact/lines.ts'
import { createOracle } from '../support/compile-oracle.ts'
import { run, withoutCounts, type Outcome } from '../support/outcome.ts'
import type { Externals } from '../support/random-schemas.ts'
import { isDefectiveOutcome, isDefectiveRefusal } from './oracle-defects.ts'
import { origins } from '../support/units.ts'
import type { Profile } from './profiles.ts'
import { inputsOf, textOf, type Sample } from './values.ts'

/** The result for a sample that neither side refused. */
export interface Compared {
  readonly emitted: EmittedUnit
  readonly outcomes: readonly string[]
}

/**
 * Keeps one Ajv on each side, for schemas of one context. The function returns `undefined` when both refuse the schema, with one
 * message, and throws an AssertionError where they differ.
 *
 * @param line the line to compile for, and its packages
 */
export function createComparison(
  { kind, options }: Profile,
  externals: Externals,
  line: LineName = 'framework',
): (sample: Sample) => Compared | undefined {
  const emitter = createEmitter({ origins, profile: profileOf(line) })
  const oracle = attempt(() => createOracle({ kind, externals, options }, line))
  // The newer version has no known defects.
  const isDefective = kind === 'serializer' && line !== 'fastify@5'
  return (sample) => {
    const { schema } = sample
    const unit: CompileUnit = { kind, digest: '', schema, externals, options }
    const theirs = attempt(() => {
      if (oracle instanceof Error) throw oracle
      return oracle(schema)
    })
    const ours = attempt(() => compile(emitter, unit))
    if (theirs instanceof Error || ours instanceof Error) {
      if (kind === 'serializer' && isKnownRefusal(sample, theirs, ours)) return undefined
      assert.equal(messageOf(ours), messageOf(theirs), 'refused')
      return undefined
    }
    const outcomes = inputsOf(sample).map((input) => {
      const expected = run(kind, theirs, input)
      const actual = run(kind, ours.compiled, input)
      const text = textOf(actual)
      if (text === textOf(expected)) return text
      const isDefect = isDefective && isDefectiveOutcome([schema, externals], expected, actual)
      return isDefect ? text : differ(input, actual, expected)
    })
    return { emitted: ours.emitted, outcomes }
  }
}

function compile(emitter: Emitter, unit: CompileUnit) {
  const before = JSON.stringify(unit)
  const emitted = emitter.emit(unit)
  assert.equal(JSON.stringify(unit), before, 'a unit is never changed')
  // Functions of the application are imports, for the process without code generation.
  const live =
    emitted.userImports.length > 0 ? emitter.emitInProcess(unit) : { ...emitted, memoryValues: [] }
  return { emitted, compiled: evaluate(live) }
}

function differ(input: unknown, actual: Outcome, expected: Outcome): never {
  const shown = inspect(input, { depth: null })
  assert.deepEqual(actual, expected, `for the value ${shown}`)
  throw new assert.AssertionError({
    message: `the order of keys differs for the value ${shown}`,
    actual: textOf(actual),
    expected: textOf(expected),
  })
}

/**
 * fast-json-stringify compiles the branches of a union when a value first meets them; we refuse at build
 * time what would throw there. Of what is generated here those are branches whose path has a lone surrogate
 * or a line separator in it, which Ajv does not find again.
 */
function isKnownRefusal({ schema, externals }: Sample, theirs: unknown, ours: unknown): boolean {
  if (!(theirs instanceof Error)) {
    if (!(ours instanceof EmitError)) return false
    const { message } = ours
    return STRICTER.test(message)
  }
  // The order of keywords depends on the siblings of references.
  const failMerge = [theirs, ours].every(
    (one) => one instanceof Error && FAILED_MERGE.test(one.message),
  )
  return failMerge || isDefectiveRefusal(JSON.stringify([schema, externals]), theirs.message)
}

function attempt<T>(action: () => T): T | Error {
  try {
    return action()
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return error as Error
  }
}

/** Errors that fast-json-stringify 5 throws only for certain values, or never. */
const STRICTER =
  /^URI malformed$|^can't resolve reference |^no schema with key or ref|^Cannot resolve (?:circular reference|ref) |^There is already another schema with id |^dependencies\[propertyName\] is not iterable$/

const FAILED_MERGE = /^Failed to merge "\w+" keyword schemas\.$/

/** Where a reference is called instead of copied, strict mode names another variable. */
const VARIABLE = /\bdata\d+(?=[[.])/g

function messageOf(value: unknown): string | undefined {
  if (!(value instanceof Error)) return undefined
  return withoutCounts(value.message).replace(VARIABLE, 'data')
}
