/** Factory options that change how URLs are joined. */
export interface SlashOptions {
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
}

/**
 * The full URLs of a route in a context with that prefix, as Fastify joins them: `/` under a prefix
 * answers with and without the slash, unless the route says otherwise.
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
  if (path.startsWith('/') && prefix.endsWith('/')) return [prefix + path.slice(1)]
  return [prefix + path]
}
