/** A parsed query string. A repeated key has an array. */
type ParsedQuery = Record<string, string | string[]>

/** Creates objects that inherit no members, faster than `Object.create(null)`. */
const Query = function () {} as unknown as { new (): ParsedQuery; prototype: unknown }
Query.prototype = Object.create(null)

/** Parses `a=1&b=2&b=3`. `+` is a space, and invalid percent-encoding stays as it is. The result inherits no members, so any key is safe. */
export function parseQuery(query: string): ParsedQuery {
  const result = new Query()
  const { length } = query
  let equals = -1
  let start = 0
  while (start < length) {
    let end = query.indexOf('&', start)
    if (end === -1) {
      end = length
    }
    if (equals < start) {
      equals = query.indexOf('=', start)
      if (equals === -1) {
        equals = length
      }
    }
    if (equals < end) {
      add(result, decode(query.slice(start, equals)), decode(query.slice(equals + 1, end)))
    } else if (end > start) {
      add(result, decode(query.slice(start, end)), '')
    }
    start = end + 1
  }
  return result
}

function add(result: ParsedQuery, key: string, value: string): void {
  const present = result[key]
  if (present === undefined) {
    result[key] = value
  } else if (typeof present === 'string') {
    result[key] = [present, value]
  } else {
    present.push(value)
  }
}

function decode(encoded: string): string {
  const text = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded
  if (!text.includes('%')) {
    return text
  }
  try {
    return decodeURIComponent(text)
  } catch {
    // Invalid encoding isn't an error.
    return text
  }
}
