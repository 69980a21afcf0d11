/** Starts of an application with the artifact of its folder. */
import assert from 'node:assert/strict'
import type { Workshop } from './workshop.ts'

/** Returns what `main.js` prints: an answer, or the error of the start. */
export function serve(shop: Workshop, ...flags: string[]): { code?: string; message: string } {
  return shop.answer('--import', './.framework/register.js', ...flags, 'main.js')
}

/** Asserts that the start fails with this code and a message that matches `words`. */
export function assertRefused(shop: Workshop, code: string, ...words: readonly RegExp[]): void {
  const error = serve(shop)
  assert.equal(error.code, code)
  for (const pattern of words) assert.match(error.message, pattern)
}
