/** Tests that units in one artifact don't affect each other. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { linkSerializer } from '../../../compiler/4-emit/serializer/link.ts'
import { createRules } from '../../../compiler/4-emit/text/rewrite.ts'
import type { CompileUnit, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { object } from '../../support/request-schemas.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { runWithoutCodegen } from '../../support/no-codegen.ts'
import {
  origins,
  outcomesOf,
  serializerUnit as serializer,
  validatorUnit as validator,
} from '../../support/units.ts'
import * as functions from '../../support/user-functions.ts'

const require = createRequire(import.meta.url)
const ajvFormats = (require('ajv-formats') as { default: unknown }).default

/** Compares units of one module and one emitter with schemas that are compiled separately in process. */
function holdTogether(units: readonly CompileUnit[], inputs: readonly unknown[]): void {
  const emitter = createEmitter({ origins })
  const jobs = units.map((unit) => ({ kind: unit.kind, emitted: emitter.emit(unit), inputs }))
  const expected = units.map((unit) => outcomesOf(unit, compileWithOracle(unit), inputs))
  assert.deepEqual(runWithoutCodegen(jobs), expected)
}

test('different schemas with the same $id: referenced, recursive, inline', () => {
  const contents = [{ type: 'integer' }, { type: 'string', maxLength: 1 }, { type: 'boolean' }]
  const units = contents.flatMap((content) => {
    const shared = object({ v: content, next: { $ref: '#' } }, { $id: 'one' })
    const externals = { one: shared }
    return [
      validator(object({ a: { $ref: 'one#' } }), {}, externals),
      validator(shared),
      validator({ $id: 'one', type: 'null' }, {}, externals),
      serializer(object({ a: { $ref: 'one#' } }), {}, externals),
      serializer({ anyOf: [{ $ref: 'one#' }, { type: 'integer' }] }, {}, externals),
    ]
  })
  holdTogether(units, [
    { a: { v: '7', next: { v: true } } },
    { v: 'xy' },
    { a: { next: {} } },
    null,
  ])
})

test('several sets of options, and different formats with one name', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', default: 1 }, t: { type: 'string', format: 'time' } },
    additionalProperties: false,
  }
  const sets: Partial<ValidatorOptions>[] = [
    {},
    { customOptions: { coerceTypes: false, removeAdditional: false } },
    { customOptions: { allErrors: true, useDefaults: false } },
    { plugins: [[ajvFormats, { mode: 'fast' }]] },
    {
      plugins: [
        [ajvFormats, { mode: 'fast' }],
        [ajvFormats, { mode: 'full' }],
      ],
    },
    { customOptions: { formats: { time: /^x$/ } } },
    { mode: '2020' },
  ]
  holdTogether(
    sets.map((options) => validator(schema, options)),
    [
      { n: '5', t: '29:00:00' },
      { t: 'x', more: 1 },
      { n: 1.5, t: '10:00:00' },
    ],
  )
})

test('options of a serializer do not affect the next one', () => {
  const schema = {
    type: 'array',
    items: object({ a: { type: 'integer' } }),
  }
  holdTogether(
    [
      serializer(schema),
      serializer(schema, { largeArrayMechanism: 'json-stringify', largeArraySize: 2 }),
      serializer(schema, { rounding: 'ceil' }),
      serializer(schema),
    ],
    [[{ a: 1.2, b: 2 }, { a: 1.7 }, {}, { b: 1 }]],
  )
})

test('a function that the code of a keyword refers to', () => {
  holdTogether(
    [validator({ type: 'string', checked: true }, { plugins: [functions.withCode] })],
    ['ab', 'abc'],
  )
})

test('a serializer with an unknown preamble is refused', () => {
  const links = { asInteger: 'asInteger', validator: () => '', use: () => undefined }
  for (const code of ['', 'const {asString} = serializer\nfunction main(){}\nreturn main']) {
    assert.throws(
      () => linkSerializer(code, createRules([]), links),
      /generates code that this version/,
    )
  }
})
