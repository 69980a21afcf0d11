/** Functions that Ajv makes and calls itself: those for a schema that says by which shared schema it is to be checked. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import type { CompileUnit } from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'

const titled = {
  $id: 'titled',
  type: 'object',
  required: ['title'],
  properties: { title: { $ref: 'text#' } },
}
const text = { $id: 'text', type: 'object', properties: { de: { type: 'string', pattern: '^D' } } }

for (const schema of [
  { type: 'object' },
  { type: 'object', title: { de: 'Das' } },
  { type: 'object', title: { de: 'Was' } },
])
  test(`a schema that names a shared one as its $schema: ${JSON.stringify(schema)}`, () => {
    const unit: CompileUnit = {
      kind: 'validator',
      digest: '',
      schema: { $schema: 'titled#', ...schema },
      externals: { titled, text },
      options: { customOptions: {}, plugins: [] } as unknown as CompileUnit['options'],
    }
    const emitter = createEmitter()
    // Once more with what is kept from the first time.
    for (let i = 0; i < 2; i++)
      assert.equal(
        messageOf(() => emitter.emit(unit)),
        messageOf(() => compileWithOracle(unit)),
      )
  })

function messageOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
