/** A URL taken apart and decoded for matching. */
export interface SanitizedUrl {
  /** Decoded except for reserved characters, so that `%2F` is not a slash; `%` is still `%25`. */
  readonly path: string
  /** The text after the first `?`, `;` or `#`. */
  readonly query: string
  /** Whether parameter values have to go through `decodeReserved`. */
  readonly isEncoded: boolean
}

/** Encoded characters that `decodeURI` leaves alone, and the percent sign. */
const reserved: Readonly<Record<string, string>> = {
  '%23': '#',
  '%24': '$',
  '%25': '%',
  '%26': '&',
  '%2B': '+',
  '%2C': ',',
  '%2F': '/',
  '%3A': ':',
  '%3B': ';',
  '%3D': '=',
  '%3F': '?',
  '%40': '@',
}

const HASH = 35
const SEMICOLON = 59
const QUESTION_MARK = 63

/** Whether the character with that code ends the path of a URL. */
export function endsPath(code: number): boolean {
  return code === QUESTION_MARK || code === SEMICOLON || code === HASH
}

/** Sanitizes a URL that has a percent sign in its path. Throws `URIError` when it is malformed. */
export function sanitizeUrl(url: string): SanitizedUrl {
  const end = endOfPath(url)
  let isEncoded = false
  const encoded = url.slice(0, end).replace(/%[2-4][\da-f]/gi, (sequence, at: number) => {
    // find-my-way does not look at the first character, which is a slash in any real request.
    if (at === 0 || reserved[sequence.toUpperCase()] === undefined) {
      return sequence
    }
    isEncoded = true
    // Encoded twice: decoding once yields `%25`, which cannot be taken for another sequence.
    return sequence === '%25' ? '%2525' : sequence
  })
  const isPlain = encoded.indexOf('%', 1) === -1
  return { path: isPlain ? encoded : decodeURI(encoded), query: url.slice(end + 1), isEncoded }
}

/** Decodes what `sanitizeUrl` left encoded in a parameter value. */
export function decodeReserved(value: string): string {
  return value.includes('%')
    ? value.replace(/%[2-4][\da-f]/gi, (sequence) => reserved[sequence.toUpperCase()] ?? sequence)
    : value
}

/** Index of the first `?`, `;` or `#`, which all end the path; the length without one. */
function endOfPath(url: string): number {
  const end = url.slice(1).search(/[?;#]/)
  return end === -1 ? url.length : end + 1
}

/** `https://host/path` as `/path`; anything else as it is. */
export function toOriginForm(url: string): string {
  return url.replace(/^https?:\/\/.*?\//, '/')
}

/** Runs of slashes as one. */
export function removeDuplicateSlashes(path: string): string {
  return path.includes('//') ? path.replace(/\/\/+/g, '/') : path
}

/** A path without the slash at its end; `/` stays. */
export function trimLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
