/** The versions of fast-uri, which resolves references. */
import { createRequire } from 'node:module'
import type { Options } from 'ajv'
import version2 from 'fast-uri'

type UriResolver = NonNullable<Options['uriResolver']>

const require = createRequire(import.meta.url)

/** The version that fast-json-stringify 7 and Fastify 5 use. */
const version4 = createRequire(require.resolve('fast-json-stringify'))('fast-uri') as UriResolver

export const uriResolvers: Readonly<Record<2 | 4, UriResolver>> = {
  2: version2 as UriResolver,
  4: version4,
}
