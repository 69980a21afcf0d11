/** A URL that is split and decoded for matching. */
interface SanitizedUrl {
  /** Decoded except for reserved characters, so that `%2F` isn't a slash. `%` stays `%25`. */
  readonly path: string
  /** The text after the `?`, `;` or `#` that ends the path. */
  readonly query: string
  /** True if parameter values have to go through `decodeReserved`. */
  readonly isEncoded: boolean
}

/** The escapes that `decodeURI` leaves, and that of the percent sign. */
const reserved = /%(?:2[3-6bcf]|3[abdf]|40)/gi

const HASH = 35
const SEMICOLON = 59
const QUESTION_MARK = 63

/** Splits and decodes a URL. Throws `URIError` if its path is malformed. */
export function sanitizeUrl(url: string, isSemicolonInPath = false): SanitizedUrl {
  const end = endOfPath(url, isSemicolonInPath)
  const query = url.slice(end + 1)
  const path = url.slice(0, end)
  // find-my-way ignores the first character, which is normally a slash.
  if (path.indexOf('%', 1) === -1) return { path, query, isEncoded: false }
  const [first, rest] = [path.slice(0, 1), path.slice(1)]
  return {
    // Encoded twice, the percent sign stays `%25`.
    path: decodeURI(first + rest.replaceAll('%25', '%2525')),
    query,
    isEncoded: rest.search(reserved) !== -1,
  }
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
  return value.includes('%')
    ? value.replace(reserved, (escape) => decodeURIComponent(escape))
    : value
}

/**
 * Converts `https://host/path` to `/path`, and returns other URLs unchanged.
 *
 * The host ends with the first slash, question mark or hash, so `http://host?/path` has no path.
 *
 * @param isVersion9 find-my-way 9 refuses invalid hosts and fragments
 * @returns `null` if the URL is refused
 */
export function toOriginForm(url: string, isVersion9: boolean): string | null {
  const start = /^https?:\/\//i.exec(url)?.[0].length
  if (start === undefined) return url
  const end = url.slice(start).search(/[/?#]/)
  if (isVersion9 && (end === 0 || url.includes('#') || !URL.canParse(url))) return null
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
