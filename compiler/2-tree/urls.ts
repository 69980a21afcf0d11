/** URLs of routes, as Fastify joins them. */

/** Factory options that change how URLs are joined. */
export interface SlashOptions {
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
}

/** Returns the URL of a HEAD twin. Fastify declares it by its path, so the prefix is joined twice. */
export function twinUrl(prefix: string, url: string): string {
  return join(prefix, url.slice(prefix.length))
}

/**
 * Returns the full URLs of a route in a context, as Fastify joins them: `/` under a prefix has a URL
 * with and one without the slash, unless the route has the option `prefixTrailingSlash`.
 */
export function expandUrls(
  prefix: string,
  path: string,
  trailingSlash: 'both' | 'slash' | 'no-slash',
  isHead: boolean,
  { ignoreTrailingSlash, ignoreDuplicateSlashes }: SlashOptions,
): string[] {
  if (path === '/' && prefix !== '' && !isHead) {
    if (trailingSlash === 'slash') return [`${prefix}/`]
    const isSame = ignoreTrailingSlash || (ignoreDuplicateSlashes && prefix.endsWith('/'))
    return trailingSlash === 'no-slash' || isSame ? [prefix] : [prefix, `${prefix}/`]
  }
  return [join(prefix, path)]
}

function join(prefix: string, path: string): string {
  return prefix + (path.startsWith('/') && prefix.endsWith('/') ? path.slice(1) : path)
}
