/** A value that one schema accepts and the other refuses, as Ajv decides, is never called compatible. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { type Finding, isRefusal } from '../../../cli/changes/findings.ts'
import { rootNode } from '../../../cli/changes/nodes.ts'
import { type CompareOptions, refusedBy } from '../../../cli/changes/subset.ts'
import { createRandom, valueFor } from '../../support/random-values.ts'
import { object, text } from '../../support/request-schemas.ts'
import { runs } from '../../support/runs.ts'
import { type Grammar, type Json, mutate, schemas } from './samples.ts'

const strict: CompareOptions = {
  coerces: false,
  wraps: false,
  fillsDefaults: false,
  dropsOthers: false,
  missesRemoved: false,
}
const asFastify: CompareOptions = {
  ...strict,
  coerces: true,
  wraps: true,
  fillsDefaults: true,
  dropsOthers: true,
}

const plainAjv = new Ajv({ strict: false, validateFormats: true, logger: false })
const fastifyAjv = new Ajv({
  strict: false,
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  logger: false,
})
for (const ajv of [plainAjv, fastifyAjv]) (addFormats as unknown as (one: Ajv) => void)(ajv)

function compile(ajv: Ajv, schema: Json): ValidateFunction | undefined {
  const copy = structuredClone(schema)
  try {
    const validate = ajv.compile(copy)
    // It would be kept.
    ajv.removeSchema(copy)
    return validate
  } catch (error) {
    // A reference that leads to itself.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** `undefined` where Ajv doesn't finish. */
function accepts(validate: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return validate(structuredClone(value))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function refusals(from: unknown, to: unknown, options: CompareOptions): readonly Finding[] {
  return refusedBy(rootNode(to, {}), [rootNode(from, {})], options).filter(isRefusal)
}

const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 40, maxLength: 40 })

/** Turns numbers into choices, over and over. */
function chooser(numbers: readonly number[]): (below: number) => number {
  let next = 0
  return (below) => (below === 0 ? 0 : ((numbers[next++ % numbers.length] ?? 0) + next) % below)
}

for (const [title, ajv, options, grammar] of [
  ['as they are', plainAjv, strict, { applicators: true, closed: true }],
  ['as Fastify validates', fastifyAjv, asFastify, { applicators: false, closed: false }],
] as readonly (readonly [string, Ajv, CompareOptions, Grammar])[]) {
  test(`no value that is refused now goes unnoticed: ${title}`, () => {
    let [refused, silent] = [0, 0]
    fc.assert(
      fc.property(schemas(grammar), schemas(grammar), choices, (before, other, numbers) => {
        const choose = chooser(numbers)
        const random = createRandom(choose(2 ** 31))
        const now = choose(5) === 0 ? other : mutate(before, choose)
        const [was, is] = [compile(ajv, before), compile(ajv, now)]
        if (was === undefined || is === undefined) return
        const found = refusals(before, now, options)
        if (found.length === 0) silent++
        for (let i = 0; i < 12; i++) {
          const sample = valueFor(before, random, before, {})
          if (accepts(was, sample) !== true || accepts(is, sample) !== false) continue
          refused++
          assert.ok(found.length > 0, JSON.stringify({ before, now, sample }))
        }
      }),
      runs(500),
    )
    // Neither always nor never reported.
    assert.ok(refused > 100, `${refused} values were refused`)
    assert.ok(silent > 100, `${silent} pairs were found compatible`)
  })

  test(`a schema refuses nothing that it accepts: ${title}`, () => {
    let [same, refused] = [0, 0]
    const property = fc.property(schemas(grammar), (schema) => {
      same++
      // A keyword beside it makes the schemas be compared keyword by keyword.
      const now = { ...structuredClone(schema), title: 'other' }
      if (refusals(schema, now, options).length > 0) refused++
    })
    fc.assert(property, runs(300))
    // Lists of objects, and values that several alternatives of `oneOf` accept, aren't examined.
    assert.ok(refused <= same * 0.03, `${refused} of ${same} schemas seem stricter than they are`)
  })
}

test('no multiple that is refused now goes unnoticed', () => {
  const steps = [0.001, 0.01, 1 / 75, 0.02, 0.03, 0.06, 0.25, 0.75, 1, 2, 3, 6]
  const whole: Json = { type: 'integer' }
  const befores = [whole, ...steps.map((multipleOf) => ({ type: 'number', multipleOf }))]
  const compatible: string[] = []
  for (const before of befores) {
    const was = compile(plainAjv, before)
    const samples = Array.from({ length: 200 }, (_, i) => i * Number(before['multipleOf'] ?? 1))
    for (const multipleOf of steps) {
      const now = { type: 'number', multipleOf }
      const is = compile(plainAjv, now)
      const refused = samples.find((one) => was?.(one) === true && is?.(one) === false)
      const isFound = refusals(before, now, strict).length > 0
      assert.ok(isFound || refused === undefined, JSON.stringify({ before, now, refused }))
      if (!isFound && before['multipleOf'] !== multipleOf)
        compatible.push(`${String(before['multipleOf'] ?? 'integer')} to ${multipleOf}`)
    }
  }
  assert.equal(
    compatible.join(),
    'integer to 0.25,integer to 1,0.75 to 0.25,1 to 0.25,2 to 0.25,2 to 1,3 to 0.25,3 to 1,6 to 0.25,6 to 1,6 to 2,6 to 3',
  )
})

/** Members that other keywords require. */
const given = (names: string[], required: string[]): Json => ({
  if: { required: names },
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword
  then: { required },
})
const has = (name: string): Json => object({}, { required: [name] })
const anyAndX = { allOf: [{ $ref: '#/definitions/any' }, { $ref: '#/definitions/x' }] }
const node = object({ next: { $ref: '#/definitions/node' }, value: text })

/** Changes that no client notices, and changes that some do, as Fastify validates. */
const pairs: readonly (readonly [
  title: string,
  before: Json,
  now: Json,
  refused?: readonly string[],
])[] = [
  ['an optional member is added', object({}), object({ a: text })],
  ['an optional member is added beside others', object({ b: text }), object({ a: text, b: text })],
  [
    'a required member is added',
    object({ b: text }),
    object({ a: text, b: text }, { required: ['a'] }),
    ['a required'],
  ],
  [
    'a required member with a default is added',
    object({ b: text }),
    object({ a: { ...text, default: 'x' } }, { required: ['a'] }),
  ],
  [
    'a default is another',
    object({ a: { ...text, default: 'x' } }),
    object({ a: { ...text, default: 'y' } }),
    ['a default'],
  ],
  [
    'a member is not declared any more',
    object({ a: text, b: text }, { additionalProperties: false }),
    object({ a: text }, { additionalProperties: false }),
  ],
  ['an integer becomes a number', { type: 'integer' }, { type: 'number' }],
  ['a number becomes an integer', { type: 'number' }, { type: 'integer' }, [' type']],
  ['a number becomes a text, to which it is converted', { type: 'integer' }, text],
  ['a text becomes a number', text, { type: 'integer' }, [' type']],
  ['a text becomes a list of texts, of which it is one', text, { type: 'array', items: text }],
  ['a text becomes a list of two', text, { type: 'array', minItems: 2 }, [' type']],
  [
    'a truth value becomes a number or a text: the number is tried first',
    { type: 'boolean' },
    { type: ['integer', 'string'], minimum: 5 },
    [' type'],
  ],
  [
    'a text becomes a number or a list of texts: the number is tried first',
    text,
    { type: ['number', 'array'], minimum: 5, items: text },
    [' type'],
  ],
  ['a number becomes an object or a text', { type: 'number' }, { type: ['object', 'string'] }],
  [
    'a choice that Ajv finds to be no multiple',
    { enum: [1e21] },
    { type: 'number', multipleOf: 1 },
    [' multipleOf'],
  ],
  ['null is not allowed any more', { type: ['string', 'null'] }, { type: 'integer' }, [' type']],
  [
    'nullable is another way to say it',
    { type: 'string', nullable: true },
    { type: ['null', 'string'] },
  ],
  ['a choice is taken away', { enum: ['a', 'b'] }, { enum: ['a'] }, [' enum']],
  ['a choice is added', { enum: ['a'] }, { enum: ['a', 'b'] }],
  [
    'choices of the right length',
    { enum: ['ab', 'cd'] },
    { type: 'string', minLength: 2, pattern: '^[a-d]+$' },
  ],
  [
    'limits are widened',
    { type: 'integer', minimum: 2, maximum: 5 },
    { type: 'integer', minimum: 1, exclusiveMaximum: 6 },
  ],
  [
    'a limit is narrowed deep inside',
    object({ a: { type: 'array', items: object({ b: { ...text, minLength: 1 } }) } }),
    object({ a: { type: 'array', items: object({ b: { ...text, minLength: 2 } }) } }),
    ['a.[].b minLength'],
  ],
  [
    'a schema is written in another way',
    object({ a: text }, { required: ['a'] }),
    {
      allOf: [{ required: ['a'] }, object({ a: { $ref: '#/definitions/x' } })],
      definitions: { x: text },
    },
  ],
  ['a type becomes one of several', text, { anyOf: [text, object({})] }],
  [
    'an alternative is taken away',
    { anyOf: [object({ a: text }, { required: ['a'] }), { type: 'array' }] },
    object({ a: text }),
    [' type'],
  ],
  [
    'alternatives that a member tells apart',
    {
      oneOf: [
        object({ k: { const: 'x' } }, { required: ['k'] }),
        object({ k: { const: 'y' } }, { required: ['k'] }),
      ],
    },
    {
      oneOf: [
        object({ k: { const: 'x' }, more: text }, { required: ['k'] }),
        object({ k: { const: 'y' } }, { required: ['k'] }),
      ],
    },
  ],
  [
    'alternatives of two lists in one',
    { allOf: [{ oneOf: [has('a'), has('b')] }, { oneOf: [has('c'), has('d')] }] },
    { oneOf: [has('a'), has('b'), has('c'), has('d')] },
    [' oneOf'],
  ],
  [
    'an alternative is repeated',
    { oneOf: [has('a'), has('b')] },
    { oneOf: [has('a'), has('b'), has('a')] },
    [' oneOf'],
  ],
  [
    'alternatives in another order',
    { oneOf: [has('a'), has('b')] },
    { oneOf: [has('b'), has('a')], title: 'other' },
  ],
  [
    'a schema that refers to itself',
    { $ref: '#/definitions/node', definitions: { node } },
    { $ref: '#/definitions/node', definitions: { node: { ...node, required: ['next'] } } },
    ['next required'],
  ],
  [
    'a schema that refers to itself, as it was',
    { $ref: '#/definitions/node', definitions: { node } },
    {
      $ref: '#/definitions/node',
      definitions: { node: object({ ...(node['properties'] as Json), more: text }) },
    },
  ],
  [
    'a condition that stays, beside what changes',
    { ...given(['a'], ['b']), ...object({ a: text, b: text }) },
    {
      ...given(['a'], ['b']),
      ...object({ a: text, b: text, c: text }),
    },
  ],
  [
    'a stricter condition',
    {
      ...given(['a'], ['b']),
      ...object({ a: text, b: text, c: text }),
    },
    {
      ...given(['a'], ['b', 'c']),
      ...object({ a: text, b: text, c: text }),
    },
    ['c required'],
  ],
  [
    'a reference inside leads to another schema',
    object({ a: { items: anyAndX } }, { definitions: { any: true, x: true } }),
    object({ a: { items: anyAndX } }, { definitions: { any: true, x: { type: 'integer' } } }),
    ['a.[] type'],
  ],
  ['an unknown keyword', text, { ...text, isIsbn: true }, [' isIsbn']],
  ['an annotation', text, { ...text, description: 'other' }],
  ['a pattern that stays', { ...text, pattern: '^a' }, { ...text, pattern: '^a' }],
  ['another pattern', { ...text, pattern: '^a' }, { ...text, pattern: '^a?' }, [' pattern']],
]

for (const [title, before, now, refused = []] of pairs) {
  test(`by hand: ${title}`, () => {
    const found = refusals(before, now, asFastify)
    const changes = found.map(({ path, keyword }) => `${path.join('.')} ${keyword}`)
    assert.deepEqual(changes, refused)
  })
}
