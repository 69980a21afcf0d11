/** Strings to JSON text. */

/** From here on the regular expression and then the native serializer beat a loop over the characters. */
const LOOP_LENGTH = 42
const TEST_LENGTH = 5000

/** V8 14 serializes strings faster than any loop; it is the first with `Uint8Array.fromBase64`. */
const NATIVE_LENGTH = 'fromBase64' in Uint8Array ? 8 : TEST_LENGTH

/** What JSON has to escape: controls, the quote, the backslash, and surrogates in case one is alone. */
// oxlint-disable-next-line no-control-regex -- RFC 8259 wants them escaped
const MUST_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

/** The JSON text of a string. */
export function asString(text: string): string {
  const { length } = text
  if (length < LOOP_LENGTH && length < NATIVE_LENGTH) {
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 32 || unit === 34 || unit === 92 || (unit >= 0xd800 && unit <= 0xdfff)) {
        return JSON.stringify(text)
      }
    }
    return `"${text}"`
  }
  return length < NATIVE_LENGTH && !MUST_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** `format: 'unsafe'`: the application vouches that nothing in it needs escaping. */
export function asUnsafeString(text: unknown): string {
  return `"${text as string}"`
}

/**
 * The JSON text of the first `length` items of an array whose items are declared to be plain strings.
 *
 * Reads each item once, so that getters and conversions run once and in order; the copy keeps `toJSON` of
 * the items' array away.
 */
export function asPlainStringArray(items: readonly unknown[], length: number): string {
  const copy: string[] = []
  copy.length = length
  if ('toJSON' in Array.prototype) Object.setPrototypeOf(copy, null)
  for (let i = 0; i < length; i++) {
    const item = items[i]
    if (typeof item !== 'string') {
      copy.length = i
      return resume(JSON.stringify(copy).slice(0, -1), items, i, item, length)
    }
    copy[i] = item
  }
  return JSON.stringify(copy)
}

/** Goes on from the item at `start`, which is not a string and has been read already. */
function resume(
  head: string,
  items: readonly unknown[],
  start: number,
  first: unknown,
  length: number,
): string {
  let json = head
  for (let i = start; i < length; i++) {
    if (i > 0) json += ','
    json += toText(i === start ? first : items[i])
  }
  return `${json}]`
}

function toText(item: unknown): string {
  if (typeof item === 'string') return asString(item)
  if (item === null) return '""'
  if (item instanceof Date) return `"${item.toISOString()}"`
  if (item instanceof RegExp) return asString(item.source)
  // `undefined` has no `toString`: it throws here, as in fast-json-stringify.
  return asString((item as object).toString())
}
