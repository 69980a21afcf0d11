/** URLs of routes, as Fastify joins them. */
import type { RouterOptions, ScannedRoute } from '../model/index.ts'

/** Returns the URL of a HEAD twin. Fastify joins the prefix again: `//x` under `/a/` is GET `/a//x`, but HEAD `/a/x`. */
export function twinUrl(prefix: string, url: string): string {
  return join(prefix, url.slice(prefix.length))
}

/** Returns the full URLs of a route: `/` under a prefix has one with and one without the slash, unless options say otherwise. */
export function expandUrls(
  prefix: string,
  { path, prefixTrailingSlash: trailingSlash }: ScannedRoute,
  { ignoreTrailingSlash, ignoreDuplicateSlashes }: RouterOptions,
): string[] {
  if (path === '/' && prefix !== '' && trailingSlash !== 'joined') {
    if (trailingSlash === 'slash') return [`${prefix}/`]
    const isSame = ignoreTrailingSlash || (ignoreDuplicateSlashes && prefix.endsWith('/'))
    return trailingSlash === 'no-slash' || isSame ? [prefix] : [prefix, `${prefix}/`]
  }
  return [join(prefix, path)]
}

function join(prefix: string, path: string): string {
  return prefix + (path.startsWith('/') && prefix.endsWith('/') ? path.slice(1) : path)
}
