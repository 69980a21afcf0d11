/** Tests that equal functions of several units become one. Other tests of the emitter check their results. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacker } from '../../../compiler/emit-driver/compile-unit.ts'
import { createEmitter, extractSharedFunctions } from '../../../compiler/4-emit/index.ts'
import type { SeparatedUnit } from '../../../compiler/model/index.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { object } from '../../support/request-schemas.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { moduleOf } from '../../support/no-codegen.ts'

const text = { type: 'string', maxLength: 80, pattern: '^[a-z]+$' }
const externals = {
  address: {
    $id: 'address',
    type: 'object',
    required: ['street', 'city'],
    properties: { street: text, city: { enum: ['Rome', 'Oslo'] }, zip: text },
  },
  person: {
    $id: 'person',
    type: 'object',
    properties: { name: text, home: { $ref: 'address#' }, work: { $ref: 'address#' } },
  },
  tree: {
    $id: 'tree',
    type: 'object',
    properties: { label: text, children: { type: 'array', items: { $ref: 'tree#' } } },
  },
}
const validators = createUnitFactory('validator', externals, { customOptions: {}, plugins: [] })
const thorough = createUnitFactory('validator', externals, {
  customOptions: { allErrors: true },
  plugins: [],
})
const serializers = createUnitFactory('serializer', externals, {})
const emitter = createEmitter()

/** Schemas with common references only. */
const schemas = [
  object({ a: { $ref: 'address#' }, n: { type: 'integer' } }),
  object({ b: { $ref: 'person#' }, c: { $ref: 'tree#' } }),
  { type: 'array', items: { $ref: 'person#' } },
  object({ d: { type: 'array', items: { $ref: 'tree#' } } }),
]

const separated = (of: typeof validators): SeparatedUnit[] =>
  schemas.map((schema) => extractSharedFunctions(emitter.emit(of.unit(schema))))

test('each shared schema becomes one function for all units', () => {
  for (const [kind, count] of [
    [validators, 3],
    [thorough, 3],
    // Lists are functions as well: of persons, and of trees twice.
    [serializers, 5],
  ] as const) {
    const units = separated(kind)
    const names = new Set(units.flatMap(({ shared }) => shared.map(({ name }) => name)))
    assert.ok(names.size <= count, `${names.size} functions`)
    const [first, second, third] = units as [SeparatedUnit, SeparatedUnit, SeparatedUnit]
    const [address] = first.shared
    assert.ok(second.shared.some(({ name }) => name === address?.name))
    assert.ok(third.shared.some(({ name }) => name === address?.name))
    for (const { shared } of units) {
      shared.forEach((one, i) => {
        const later = shared.slice(i + 1).map(({ name }) => name)
        for (const name of later) assert.ok(!(one.code + one.result).includes(name), name)
      })
    }
  }
})

test('the code of a unit does not contain its shared functions', () => {
  for (const unit of [...separated(validators), ...separated(thorough)]) {
    const { maker: code } = createPacker()(unit)
    assert.ok(!code.includes('RegExp'), code)
    assert.ok(!code.includes('Rome'), code)
  }
})

test('errors of shared functions contain the path at every depth', async () => {
  const values = [
    { a: { street: 'x', city: 'Bonn' } },
    { a: { street: '1', city: 'Rome' } },
    { a: 'x' },
    { b: { work: { city: 'Rome' } } },
    { c: { children: [{ label: 'a' }, { children: [{ label: 'A' }] }] } },
    [{ home: { street: 'x', city: 'Rome' } }, { work: { street: 'x' } }],
    { d: [{}, { children: [{ children: [{ children: 'x' }] }] }] },
    { b: { home: { street: 1 }, work: { street: 'X', city: 'Bonn' } }, c: { label: '1' } },
  ]
  const units = [validators, thorough].flatMap((of) => schemas.map((schema) => of.unit(schema)))
  const url = `data:text/javascript,${encodeURIComponent(moduleOf(units.map((unit) => emitter.emit(unit))))}`
  const { units: makers } = (await import(url)) as {
    units: (() => ReturnType<typeof compileWithOracle>)[]
  }
  makers.forEach((make, i) => {
    const unit = units[i] as (typeof units)[0]
    for (const value of values) {
      const [ours, theirs] = [make(), compileWithOracle(unit)].map((validate) => {
        const data = structuredClone(value)
        const verdict = validate(data)
        return { verdict, data, errors: 'errors' in validate ? validate.errors : undefined }
      })
      assert.deepEqual(ours, theirs)
    }
  })
})
