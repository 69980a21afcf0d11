/** Long arrays of primitives: copying them for the native serializer is faster than a loop. */
import { asText } from './serialize-text.ts'

/** The native serializer of Node 22, the first with `Array.fromAsync`, is much faster than that of Node 20. */
const IS_FAST = 'fromAsync' in Array

/** From these lengths on, a copy is faster than a loop. */
export const LONG_STRING_ARRAY: number = IS_FAST ? 8 : 128
export const LONG_INTEGER_ARRAY: number = IS_FAST ? 512 : 300_000
export const LONG_NUMBER_ARRAY: number = IS_FAST ? 128 : 300_000

/**
 * Serializes the first `length` items of an array of strings.
 *
 * Reads each item once and in order, so that getters and conversions run as they do in a loop.
 */
export function asPlainStringArray(items: readonly unknown[], length: number): string {
  const copy: unknown[] = []
  copy.length = length
  // Ignores a `toJSON` of `Array.prototype`.
  if ('toJSON' in Array.prototype) Object.setPrototypeOf(copy, null)
  for (let i = 0; i < length; i++) {
    const item = items[i]
    if (typeof item !== 'string') {
      // The native serializer may write it differently.
      copy.length = i
      let json = JSON.stringify(copy).slice(0, -1)
      if (i > 0) json += ','
      json += asText(item)
      for (i++; i < length; i++) json += `,${asText(items[i])}`
      return `${json}]`
    }
    copy[i] = item
  }
  return JSON.stringify(copy)
}
