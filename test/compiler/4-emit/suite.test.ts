/** Runs the JSON Schema Test Suite, and compares emitted validators with those that Ajv compiles with Fastify's options. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import type {
  CompiledFunction,
  CompiledValidator,
  CompileUnit,
  ValidatorOptions,
} from '../../../runtime/artifact/index.ts'
import { createOracle } from '../../support/compile-oracle.ts'
import { runWithoutCodegen, type NoCodegenJob } from '../../support/no-codegen.ts'
import { attempt, runValidator, type Outcome } from '../../support/outcome.ts'
import { root } from '../../support/root.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly data: unknown }[]
}

const AT_LEAST = 400
const folder = join(root, 'fixtures/json-schema-test-suite')
const require = createRequire(import.meta.url)

/** Strict mode, which is Fastify's, refuses much of the suite; so it also runs without. */
const optionSets = [{}, { strict: false, coerceTypes: false, removeAdditional: false }]

const drafts: Readonly<Record<string, Partial<ValidatorOptions>>> = {
  draft6: {
    plugins: [
      (ajv: { addMetaSchema(schema: unknown): void }): void =>
        ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json')),
    ],
  },
  draft7: {},
  'draft2019-09': { mode: '2019' },
  'draft2020-12': { mode: '2020' },
}

for (const [draft, options] of Object.entries(drafts)) {
  const externals = acceptable(readRemotes(draft), options)
  const jobs: NoCodegenJob[] = []
  const expected: Outcome[][] = []
  let refused = 0
  for (const customOptions of optionSets) {
    const context = {
      kind: 'validator' as const,
      externals,
      options: { plugins: [], ...options, customOptions },
    }
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
          const actual = inputs.map((data) => runValidator(validate, data))
          assert.deepEqual(actual, outcomes, description)
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

function messageOf(value: CompiledFunction | object): string | undefined {
  return value instanceof Error ? value.message : undefined
}

/** The groups of each file, required and optional. */
function readSuite(draft: string): [file: string, groups: Group[]][] {
  return readFolder(`tests/${draft}`) as [string, Group[]][]
}

/** The remote schemas of a draft by URL, which is also their `$id`: Fastify takes no shared schema without one. */
function readRemotes(draft: string): Record<string, unknown> {
  const ofDraft = readFolder('remotes').filter(
    ([path]) => !path.startsWith('draft') || path.startsWith(`${draft}/`),
  )
  return Object.fromEntries(
    ofDraft.map(([path, schema]) => {
      const url = `http://localhost:1234/${path}`
      return [url, { $id: url, ...(schema as object) }]
    }),
  )
}

function readFolder(name: string): [path: string, content: unknown][] {
  return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const content = readFileSync(join(folder, name, file), 'utf8')
      return [file.replaceAll(sep, '/'), JSON.parse(content)]
    })
}

/** Strict options of Ajv may refuse a remote schema altogether; no test can refer to such a one. */
function acceptable(
  remotes: Record<string, unknown>,
  options: Partial<ValidatorOptions>,
): Record<string, unknown> {
  const given = { plugins: [], customOptions: {}, ...options }
  const accepted = Object.entries(remotes).filter(([id, schema]) => {
    const externals = { [id]: schema }
    const oracle = attempt(() => createOracle({ kind: 'validator', externals, options: given }))
    return !(oracle instanceof Error)
  })
  return Object.fromEntries(accepted)
}
