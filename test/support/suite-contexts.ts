/** The options that the JSON Schema Test Suite is compiled with: each draft with its remote schemas, strict and not. */
import { createRequire } from 'node:module'
import type { CompileUnit, ValidatorOptions } from '../../runtime/artifact/index.ts'
import { createOracle } from './compile-oracle.ts'
import { readRemotes, type Draft } from './json-schema-suite.ts'

const require = createRequire(import.meta.url)

export interface SuiteContext {
  readonly draft: Draft
  readonly customOptions: object
  readonly context: Pick<CompileUnit, 'kind' | 'externals' | 'options'>
}

/** Strict mode, which is Fastify's, refuses much of the suite; so it also runs without. */
const optionSets = [{}, { strict: false, coerceTypes: false, removeAdditional: false }]

const drafts: Readonly<Record<Draft, Partial<ValidatorOptions>>> = {
  draft6: { plugins: [addDraft6] },
  draft7: {},
  'draft2019-09': { mode: '2019' },
  'draft2020-12': { mode: '2020' },
}

export function suiteContexts(): SuiteContext[] {
  return (Object.keys(drafts) as Draft[]).flatMap((draft) => {
    const externals = acceptable(draft, drafts[draft])
    return optionSets.map((customOptions): SuiteContext => {
      const options = { plugins: [], ...drafts[draft], customOptions }
      return { draft, customOptions, context: { kind: 'validator', externals, options } }
    })
  })
}

/** Strict options of Ajv may refuse a remote schema altogether; no test can refer to such a one. */
function acceptable(draft: Draft, options: Partial<ValidatorOptions>): Record<string, unknown> {
  const given = { plugins: [], customOptions: {}, ...options }
  const remotes = Object.entries(readRemotes(draft)).filter(([id, schema]) => {
    try {
      createOracle({ kind: 'validator', externals: { [id]: schema }, options: given })
      return true
    } catch {
      return false
    }
  })
  return Object.fromEntries(remotes)
}

function addDraft6(ajv: { addMetaSchema(schema: unknown): void }): void {
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
}
