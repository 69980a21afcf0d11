/** Creates units, and compares the code that is emitted for them with what Fastify compiles. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { EmitError, type Emitter } from '../../compiler/4-emit/index.ts'
import { evaluate } from '../../compiler/dev/in-process.ts'
import type { ImportRef } from '../../compiler/model/index.ts'
import type {
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import { compileWithOracle } from './compile-oracle.ts'
import { type Outcome, run } from './outcome.ts'
import * as functions from './user-functions.ts'

type Externals = Readonly<Record<string, unknown>>

export function validatorUnit(
  schema: unknown,
  options: Partial<ValidatorOptions> = {},
  externals: Externals = {},
): CompileUnit {
  const complete = { customOptions: {}, plugins: [], ...options }
  return { kind: 'validator', digest: '', schema, externals, options: complete }
}

export function serializerUnit(
  schema: unknown,
  options: Readonly<Record<string, unknown>> = {},
  externals: Externals = {},
): CompileUnit {
  return { kind: 'serializer', digest: '', schema, externals, options }
}

const require = createRequire(import.meta.url)
export const ajvKeywords: unknown = (require('ajv-keywords') as { default: unknown }).default
const importer = fileURLToPath(new URL('user-functions.js', import.meta.url))
const at = { file: 'app.ts', line: 1, column: 1 }

/** Where emitted code imports the functions of `user-functions.ts` and ajv-keywords from. */
export const origins: ReadonlyMap<unknown, ImportRef> = new Map([
  ...Object.entries(functions).map(([name, value]): [unknown, ImportRef] => [
    value,
    { specifier: importer, importer, name, at },
  ]),
  [
    ajvKeywords,
    { specifier: require.resolve('ajv-keywords'), importer, name: 'default', at },
  ] as const,
])

type Compiled = CompiledValidator | CompiledSerializer

/** Evaluates the code that is emitted for a unit. */
export function compiled(emitter: Emitter, unit: CompileUnit): Compiled {
  return evaluate({ ...emitter.emit(unit), memoryValues: [] }) as Compiled
}

/** Calls a unit's function with each input. */
export function outcomesOf(
  { kind }: CompileUnit,
  compiled: Compiled,
  inputs: readonly unknown[],
): Outcome[] {
  return inputs.map((input) => run(kind, compiled, input))
}

/** Asserts that the emitted function and Fastify's have the same outcomes. */
export function assertSameOutcomes(
  emitter: Emitter,
  unit: CompileUnit,
  inputs: readonly unknown[],
): void {
  const expected = outcomesOf(unit, compileWithOracle(unit), inputs)
  assert.deepEqual(outcomesOf(unit, compiled(emitter, unit), inputs), expected)
}

/** Asserts that a build refuses what Fastify refuses, with its message. */
export function assertRefusedAlike(emitter: Emitter, unit: CompileUnit): void {
  assert.throws(
    () => compileWithOracle(unit),
    ({ message }: Error) => {
      const isSame = (error: unknown): boolean =>
        error instanceof EmitError && error.message === message
      assert.throws(() => emitter.emit(unit), isSame)
      return true
    },
  )
}
