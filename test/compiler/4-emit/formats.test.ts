/** Compares the formats of `framework/internal` with those of ajv-formats, and its serialized strings with the native serializer. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import fc from 'fast-check'
import { knownName } from '../../../compiler/4-emit/values/known-values.ts'
import * as internal from '../../../runtime/internal.ts'
import { TEXTS } from '../../support/random-values.ts'
import { runs } from '../../support/runs.ts'
import { asDate, asDateTime, asText, asTime } from '../../../runtime/internal.ts'

const require = createRequire(import.meta.url)
const fromSerializer = createRequire(require.resolve('fast-json-stringify'))

type Formats = Record<string, unknown>
interface Tables {
  readonly fullFormats: Formats
  readonly fastFormats: Formats
}
interface Definition {
  readonly type?: string
  readonly validate: unknown
  readonly compare?: (a: string, b: string) => number | undefined
}

const current = require('ajv-formats/dist/formats') as Tables
const ofUnions = fromSerializer('ajv-formats/dist/formats') as Tables

const digits = fc.stringMatching(/^\d{1,4}$/)
const date = fc
  .tuple(fc.integer({ min: 1890, max: 2104 }), fc.nat({ max: 13 }), fc.nat({ max: 32 }))
  .map(([y, m, d]) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`)
const two = (max: number): fc.Arbitrary<string> =>
  fc.nat({ max }).map((n) => String(n).padStart(2, '0'))
const zone = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+01', '+0100', '+01:00', '-23:59', '+24:00', '+00:60', ' '),
  fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([s, h, m]) => `${s}${h}:${m}`),
)
const time = fc
  .tuple(two(24), two(60), two(61), fc.constantFrom('', '.5', '.123456', '.'), zone)
  .map(([h, m, s, f, z]) => `${h}:${m}:${s}${f}${z}`)
const dateTime = fc
  .tuple(date, fc.constantFrom('T', 't', ' ', '', 'x', 'T T'), time)
  .map((parts) => parts.join(''))
const hex = fc.stringMatching(/^[0-9a-fA-F]{1,5}$/)
const address = fc.oneof(
  fc.array(digits, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
  fc
    .array(fc.oneof(hex, fc.constant('')), { minLength: 2, maxLength: 9 })
    .map((parts) => parts.join(':')),
  fc.tuple(hex, fc.ipV4()).map(([first, last]) => `${first}::${last}`),
)
const network = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.emailAddress(),
  fc.webUrl(),
  fc.domain(),
  fc.uuid(),
)
const pointer = fc.stringMatching(/^[#0-9]{0,2}(\/([a-z~01%]|%2[fF])*){0,3}$/)
const pattern = fc.stringMatching(/^[a-z()[\]{}*+?\\Z^$|.]{0,8}$/)
const base64 = fc.oneof(fc.base64String(), fc.stringMatching(/^[A-Za-z0-9+/=\n]{0,12}$/))
const duration = fc.stringMatching(/^P(\d+[YMDW]){0,3}(T(\d+[HMS]){0,3})?$/)

/** Generates texts that match a format or nearly do. */
const text = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...TEXTS),
      date,
      time,
      dateTime,
      address,
      network,
      pointer,
      pattern,
      base64,
      duration,
      fc.string(),
    ),
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.tuple(fc.nat({ max: 30 }), fc.string({ maxLength: 1 })) },
    ),
  )
  .map(([whole, change]) =>
    change === undefined
      ? whole
      : whole.slice(0, change[0]) + change[1] + whole.slice(change[0] + 1),
  )

const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 53),
)

const tables: readonly (readonly [string, Formats])[] = [
  ['full', current.fullFormats],
  ['fast', current.fastFormats],
  ['of unions', ofUnions.fullFormats],
  ['of unions, fast', ofUnions.fastFormats],
]

for (const [title, formats] of tables) {
  for (const [name, theirs] of Object.entries(formats)) {
    if (theirs === true) continue
    test(`${title}: ${name} accepts and orders what ajv-formats does`, () => {
      const exported = knownName(theirs)
      assert.ok(exported !== undefined, 'has an export')
      const ours = (internal as unknown as Formats)[exported]
      assert.equal(shapeOf(ours), shapeOf(theirs))
      const isNumber = (theirs as Definition).type === 'number'
      const assertSame = (value: unknown): void =>
        assert.equal(accepts(ours, value), accepts(theirs, value), String(value))
      if (!isNumber) TEXTS.forEach(assertSame)
      const values: fc.Arbitrary<unknown> = isNumber ? number : text
      fc.assert(fc.property(values, assertSame), runs(isNumber ? 300 : 2000))
      const { compare } = theirs as Definition
      if (compare === undefined) return
      const moments = fc.oneof(date, time, dateTime, fc.constant(''))
      const order = fc.property(moments, moments, (a, b) =>
        assert.equal((ours as Definition).compare?.(a, b), compare(a, b)),
      )
      fc.assert(order, runs(2000))
    })
  }
}

test('timestamps are accepted as by Ajv', () => {
  type Accepts = (text: string, allowDate?: boolean) => boolean
  const theirs = (require('ajv/dist/runtime/timestamp') as { default: Accepts }).default
  const ours = internal.isTimestamp as Accepts
  assert.equal(knownName(theirs), 'isTimestamp')
  const check = fc.property(fc.oneof(date, dateTime, text), fc.boolean(), (value, allowDate) =>
    assert.equal(ours(value, allowDate), Boolean(theirs(value, allowDate))),
  )
  fc.assert(check, runs(5000))
})

function accepts(format: unknown, value: unknown): boolean {
  if (format instanceof RegExp) return format.test(value as string)
  if (typeof format === 'function') return Boolean(format(value))
  return accepts((format as Definition).validate, value)
}

/** Calls a format as generated code does. */
function shapeOf(format: unknown): string {
  if (format instanceof RegExp) return 'expression'
  if (typeof format === 'function') return 'function'
  const { type = 'string', validate, compare } = format as Definition
  return `${type} ${shapeOf(validate)} ${typeof compare}`
}

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
/** All code units of Basic Latin and surrogates, some others. */
const FEW = UNITS.filter((_, unit) => unit < 256 || unit % 251 === 0 || unit >> 11 === 0x1b)
/** Lengths for the loop, the regular expression and the native serializer. */
const AROUND = ['', '2024-02-29T10:00', 'a'.repeat(41), 'a'.repeat(60), 'a'.repeat(5000)]

for (const write of [asText, asDateTime, asDate, asTime]) {
  test(`${write.name} escapes what has to be escaped`, () => {
    for (const around of AROUND) {
      for (const one of around.length > 100 ? FEW.slice(0, 300) : FEW) {
        for (const text of [around + one, one + around, `${one}${around}${one}`])
          assert.equal(write(text), JSON.stringify(text))
      }
    }
  })
}

test('quotes and backslashes at every position, with other escapes between them', () => {
  const parts = ['"', '\\', '\n', '\ud800', '\udc00', 'a', '', 'é']
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const d of parts) {
          const text = `x${a}y${b}z${c}${d}`
          assert.equal(asText(text), JSON.stringify(text))
        }
})
