/** Compares serialized strings with the native serializer, for every code unit in short, middle and long texts. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { asDate, asDateTime, asText, asTime } from '../../../runtime/internal.ts'

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
