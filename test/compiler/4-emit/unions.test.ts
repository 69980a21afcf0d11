/** Tests schemas with errors around a union: Ajv reports them when it compiles a branch. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import type { CompiledSerializer, CompileUnit } from '../../../runtime/artifact/index.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { assertSameOutcomes, serializerUnit } from '../../support/units.ts'

const union = { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a', 'b'] }] }
const inputs = [{ union: 1 }, { union: 'a' }, { union: 'c' }, { union: 'b', other: 'x' }, {}]

const sound: Readonly<Record<string, object>> = {
  'a property that is called like a keyword': {
    properties: { union, id: { type: 'string' }, nullable: union, $async: { type: 'string' } },
  },
  'references to shared schemas and to definitions': {
    definitions: { one: { type: 'string', pattern: '^[a-z]+$' } },
    properties: { union, other: { $ref: '#/definitions/one' }, self: { $ref: 'shared#' } },
  },
  'a reference to the schema around in a branch': {
    properties: { union: { anyOf: [{ type: 'integer' }, { type: 'string' }, { $ref: '#' }] } },
  },
  'data that look like keywords': {
    properties: { union, other: { type: 'string', default: 'x' } },
    patternProperties: { '^x-': { type: 'string' } },
    default: { id: 1, nullable: true, pattern: '\\-' },
  },
}

const broken: Readonly<Record<string, object>> = {
  'a pattern that is none with the flag u': {
    properties: { union, other: { type: 'string', pattern: '\\-' } },
  },
  'a pattern of properties that is none with the flag u': {
    properties: { union },
    patternProperties: { '\\-': { type: 'string' } },
  },
  '`nullable` without a type': { properties: { union, other: { not: { nullable: true } } } },
  '`id` for `$id`': { properties: { union, other: { id: 'other', type: 'string' } } },
  'a reference to nowhere that is not followed for a text': {
    properties: { union, other: { type: 'string', not: { $ref: '#/definitions/none' } } },
  },
  'a limit of a format without the format': {
    properties: { union, other: { type: 'string', formatMinimum: '2020-01-01' } },
  },
  'what a reference leads to that no schema of schemas has looked at': {
    $defs: { one: { minLength: 'two' } },
    properties: { union, other: { type: 'string', not: { $ref: '#/$defs/one' } } },
  },
  'a fault in a shared schema': {
    properties: { union, other: { type: 'string', not: { $ref: 'faulty#' } } },
  },
}

const externals = {
  shared: { $id: 'shared', type: 'object', properties: { a: { type: 'string' } } },
  faulty: { $id: 'faulty', type: 'string', pattern: '\\-' },
}

for (const [title, schema] of Object.entries(sound))
  test(`sound: ${title}`, () => assertSameOutcomes(createEmitter(), unitOf(schema), inputs))

for (const [title, schema] of Object.entries(broken))
  test(`broken: ${title}`, () => {
    const unit = unitOf(schema)
    // There the branches are compiled when they are first asked for.
    const oracle = compileWithOracle(unit) as CompiledSerializer
    assert.throws(() => oracle({ union: 1 }), 'the oracle serves it')
    assert.throws(() => createEmitter().emit(unit), EmitError)
  })

function unitOf(schema: object): CompileUnit {
  return serializerUnit({ type: 'object', ...schema }, {}, externals)
}
