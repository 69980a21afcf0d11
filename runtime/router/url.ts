/** A URL that is split and decoded for matching. */
export interface SanitizedUrl {
  /** Decoded except for reserved characters, so that `%2F` isn't a slash. `%` stays `%25`. */
  readonly path: string
  /** The text after the first `?`, `;` or `#`. */
  readonly query: string
  /** True if parameter values have to go through `decodeReserved`. */
  readonly isEncoded: boolean
}

/**
 * The characters that `decodeURI` doesn't decode, and the percent sign, by the first and second digit of their codes.
 */
const reserved: Readonly<Record<string, string>> = {
  '2': '   #$%&    +,  /',
  '3': '          :; = ?',
  '4': '@',
}

const HASH = 35
const SEMICOLON = 59
const QUESTION_MARK = 63

/** Splits and decodes a URL. Throws `URIError` if its path is malformed. */
export function sanitizeUrl(url: string, isSemicolonInPath = false): SanitizedUrl {
  const end = endOfPath(url, isSemicolonInPath)
  const query = url.slice(end + 1)
  // find-my-way ignores the first character, which is a slash in real requests.
  let at = url.indexOf('%', 1)
  if (at === -1 || at > end) return { path: url.slice(0, end), query, isEncoded: false }
  let path = ''
  let start = 0
  let needsDecoding = false
  let isEncoded = false
  while (at !== -1 && at < end) {
    const char = reservedAt(url, at)
    if (char === '' || char === '%') {
      needsDecoding = true
    }
    if (char === '%') {
      // Encode it twice: it stays `%25` after decoding.
      path += url.slice(start, at) + '%25'
      start = at + 1
    }
    isEncoded ||= char !== ''
    at = url.indexOf('%', at + (char === '' ? 1 : 3))
  }
  path += url.slice(start, end)
  return { path: needsDecoding ? decodeURI(path) : path, query, isEncoded }
}

function endOfPath(url: string, isSemicolonInPath: boolean): number {
  for (let i = 1; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (code === QUESTION_MARK || code === HASH) return i
    if (code === SEMICOLON && !isSemicolonInPath) return i
  }
  return url.length
}

/** Decodes the reserved characters of a parameter value. */
export function decodeReserved(value: string): string {
  let at = value.indexOf('%')
  if (at === -1) {
    return value
  }
  let decoded = ''
  let start = 0
  while (at !== -1) {
    decoded += value.slice(start, at) + reservedAt(value, at)
    start = at + 3
    at = value.indexOf('%', start)
  }
  return decoded + value.slice(start)
}

/** Returns the reserved character that is encoded at an index, or `''`. */
function reservedAt(text: string, at: number): string {
  if (at + 2 >= text.length) {
    return ''
  }
  const char = reserved[text[at + 1]!]?.[hexDigit(text.charCodeAt(at + 2))]
  return char === undefined || char === ' ' ? '' : char
}

/** Returns the value of a hexadecimal digit, or -1. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) {
    return code - 48
  }
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/**
 * Converts `https://host/path` to `/path`, and returns other URLs unchanged.
 *
 * The host ends with the first slash, question mark or hash, so `http://host?/path` has no path.
 */
export function toOriginForm(url: string): string {
  const start = /^https?:\/\//i.exec(url)?.[0].length
  if (start === undefined) return url
  const end = url.slice(start).search(/[/?#]/)
  if (end === -1) return '/'
  const rest = url.slice(start + end)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Replaces repeated slashes by one. */
export function removeDuplicateSlashes(path: string): string {
  return path.includes('//') ? path.replace(/\/\/+/g, '/') : path
}

/** Removes the slash at the end of a path, except for `/`. */
export function trimLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
