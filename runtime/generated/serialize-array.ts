/** Long arrays of primitives to JSON text: a clean copy and the native serializer are the fastest way. */
import { asNumber } from './serialize-number.ts'
import { asText } from './serialize-text.ts'

/** The native serializer of Node 22, the first with `Array.fromAsync`, is much faster than that of Node 20. */
const IS_FAST = 'fromAsync' in Array

/** From these lengths on a copy is faster than a loop; what comes out is the same. */
export const LONG_STRING_ARRAY: number = IS_FAST ? 8 : 128
export const LONG_INTEGER_ARRAY: number = IS_FAST ? 512 : 300_000
export const LONG_NUMBER_ARRAY: number = IS_FAST ? 128 : 300_000

/**
 * The first `length` items; `asItem` converts what the native serializer would not write in the same way.
 *
 * Reads each item once and in order, so that getters and conversions run as they do in a loop.
 */
export function asPlainArray(
  items: readonly unknown[],
  length: number,
  asItem: (item: unknown) => string,
): string {
  const copy: unknown[] = []
  copy.length = length
  // Keeps a `toJSON` that somebody gave to all arrays away.
  if ('toJSON' in Array.prototype) Object.setPrototypeOf(copy, null)
  const isPlain = asItem === asText ? isString : asItem === asNumber ? isNumber : Number.isInteger
  for (let i = 0; i < length; i++) {
    const item = items[i]
    if (!isPlain(item)) {
      copy.length = i
      let json = JSON.stringify(copy).slice(0, -1)
      if (i > 0) json += ','
      json += asItem(item)
      for (i++; i < length; i++) json += `,${asItem(items[i])}`
      return `${json}]`
    }
    copy[i] = item
  }
  return JSON.stringify(copy)
}

/** Items that are declared to be plain strings. */
export function asPlainStringArray(items: readonly unknown[], length: number): string {
  return asPlainArray(items, length, asText)
}

function isString(item: unknown): boolean {
  return typeof item === 'string'
}

function isNumber(item: unknown): boolean {
  return typeof item === 'number' && !Number.isNaN(item)
}
