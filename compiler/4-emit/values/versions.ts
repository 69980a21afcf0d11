/** The versions of ajv-formats and fast-uri that Ajv gets. */
import { createRequire } from 'node:module'
import type { Ajv, Options } from 'ajv'
import ajvFormats from 'ajv-formats'
import { ZONED_FORMATS } from './known-values.ts'

/** Adds the formats of a version of ajv-formats. */
export function addFormats(ajv: Ajv, version: 2 | 3): void {
  ajvFormats.default(ajv)
  if (version === 2) return
  for (const [name, format] of Object.entries(ZONED_FORMATS)) ajv.addFormat(name, format)
}

type UriResolver = NonNullable<Options['uriResolver']>

const require = createRequire(import.meta.url)

/** The version that fast-json-stringify 7 and Fastify 5 use. Fastify 4 uses version 2. */
const version4 = createRequire(require.resolve('fast-json-stringify'))('fast-uri') as UriResolver

export const uriResolvers: Readonly<Record<2 | 4, UriResolver>> = {
  2: require('#fast-uri') as UriResolver,
  4: version4,
}
