/** Every case of the JSON Schema Test Suite for draft-07, emitted against what Fastify compiles in process. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import test from 'node:test'
import { createEmitter } from '../../compiler/4-emit/index.ts'
import { evaluate } from '../../compiler/development.ts'
import type { CompiledValidator, CompileUnit } from '../../runtime/artifact/index.ts'
import { compileWithOracle } from '../support/compile-oracle.ts'
import { runWithoutCodegen, type NoCodegenJob } from '../support/no-codegen.ts'
import { runValidator, type Outcome } from '../support/outcome.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown }[]
}

const root = join(import.meta.dirname, '../../../fixtures/json-schema-test-suite')
const emitter = createEmitter()

/** Strict mode, which is Fastify's, refuses much of the suite; so it also runs without. */
const optionSets = [
  { customOptions: {}, plugins: [] },
  { customOptions: { strict: false, coerceTypes: false, removeAdditional: false }, plugins: [] },
]

const remotes = readRemotes()
const files = filesIn(join(root, 'tests/draft7'))

test('the suite is there', () => {
  assert.ok(files.length > 50)
  assert.ok(Object.keys(remotes).length > 10)
})

const jobs: NoCodegenJob[] = []
const expected: Outcome[][] = []
let refused = 0

for (const file of files) {
  const name = relative(join(root, 'tests/draft7'), file)
  test(`draft-07: ${name}`, () => {
    for (const { description, schema, tests } of readJson(file) as Group[]) {
      for (const options of optionSets) {
        const unit: CompileUnit = {
          kind: 'validator',
          digest: '',
          schema,
          externals: remotes,
          options,
        }
        const oracle = attempt(() => compileWithOracle(unit) as CompiledValidator)
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
    }
  })
}

test('the whole suite gives the same where code generation is refused', () => {
  assert.ok(jobs.length > 400, `only ${jobs.length} compiled, ${refused} refused`)
  assert.deepEqual(runWithoutCodegen(jobs), expected)
})

function attempt<T>(action: () => T): T | Error {
  try {
    return action()
  } catch (error) {
    return error as Error
  }
}

function messageOf(value: unknown): string | undefined {
  return value instanceof Error ? value.message : undefined
}

/** By URL; with that as `$id`, because Fastify takes no shared schema without one. */
function readRemotes(): Record<string, unknown> {
  const remotes: Record<string, unknown> = {}
  const folder = join(root, 'remotes')
  for (const file of filesIn(folder)) {
    const $id = `http://localhost:1234/${relative(folder, file).replaceAll(sep, '/')}`
    const schema = readJson(file) as { $id?: string }
    remotes[$id] = { ...schema, $id: schema.$id ?? $id }
  }
  return remotes
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.path, entry.name))
    .sort()
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
