/**
 * How long an array of primitives must be before a copy and the native serializer beat a loop; the outcome
 * is the same. `Array.fromAsync` came with Node 22, whose native serializer is much faster than Node 20's.
 */
const IS_FAST = 'fromAsync' in Array

export const LONG_STRING_ARRAY: number = IS_FAST ? 8 : 128
export const LONG_INTEGER_ARRAY: number = IS_FAST ? 512 : 300_000
export const LONG_NUMBER_ARRAY: number = IS_FAST ? 128 : 300_000
