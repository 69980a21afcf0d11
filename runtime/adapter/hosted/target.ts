/** Path and query of a request, which become `request.raw.url`, from the parts that platforms give. */

/** Characters that end a host in a URL, and what joins several headers. A server that joins such a `Host` with a path makes another path of it. */
const NOT_IN_HOST = /[/?#\\@]|, /

/** Returns whether the value of `Host` can't be one. */
export function isImpossibleHost(host: string | null): boolean {
  return host !== null && NOT_IN_HOST.test(host)
}

/** Returns path and query of a URL, without the fragment. Bun omits scheme and host if there is no valid `Host`. */
export function targetOfUrl(url: string): string {
  const hash = url.indexOf('#')
  const whole = hash === -1 ? url : url.slice(0, hash)
  const scheme = whole.startsWith('/') ? -1 : whole.indexOf('://')
  if (scheme === -1) return whole
  const path = whole.indexOf('/', scheme + 3)
  const query = whole.indexOf('?', scheme + 3)
  if (path !== -1 && (query === -1 || path < query)) return whole.slice(path)
  return query === -1 ? '/' : `/${whole.slice(query)}`
}

/**
 * Returns the target of a request, where the URL is either `http://`, the value of `Host` and the path, or a target in absolute form:
 * that isn't cut, because the router refuses some.
 */
export function targetOfServer(url: string, host: string | null): string {
  return !host || url.startsWith(`http://${host}/`) ? targetOfUrl(url) : url
}

/** Joins path and query. Delimiters in a path are encoded: a client can only have sent them so. */
export function targetOfParts(path: string, query: string): string {
  const encoded = path.replace(/[?#]/g, encodeURIComponent)
  return query === '' ? encoded : `${encoded}?${query}`
}
