import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { digestOf } from '../../runtime/artifact/digest.ts'

/** The four words of a digest, as the reference implementation prints them. */
function wordsOf(digest: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bits = [...digest]
    .flatMap((char) => [0, 1, 2, 3, 4, 5].map((bit) => (alphabet.indexOf(char) >> bit) & 1))
    .slice(0, 128)
  return [0, 32, 64, 96]
    .map((start) => bits.slice(start, start + 32).reduce((sum, bit, i) => sum + bit * 2 ** i, 0))
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('')
}

test('is the published hash', () => {
  assert.equal(wordsOf(digestOf('')), '00000000000000000000000000000000')
  const sentence = 'I will not buy this record, it is scratched.'
  assert.equal(wordsOf(digestOf(sentence)), 'a0a9683b25ac5e40d9af2895890dddf5')
  const fox = 'The quick brown fox jumps over the lazy dog'
  assert.equal(wordsOf(digestOf(fox)), '2f1583c3ecee2c675d7bf66ce5e91d2c')
})

test('reads texts as one, whatever was hashed before', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 900 })), (texts) => {
      const digest = digestOf(...texts)
      digestOf('x'.repeat(5000))
      assert.match(digest, /^[\w-]{22}$/)
      assert.equal(digestOf(texts.join('')), digest)
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('every character counts', () => {
  const content = 'a'.repeat(67)
  const seen = new Set([digestOf(content)])
  for (let i = 0; i < content.length; i++) {
    for (const char of 'bcde\0é')
      seen.add(digestOf(content.slice(0, i) + char + content.slice(i + 1)))
  }
  for (let length = 0; length < 64; length++) seen.add(digestOf('\0'.repeat(length)))
  assert.equal(seen.size, 1 + 67 * 6 + 64)
})
