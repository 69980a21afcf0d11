import type { Manifest } from '../5-bundle/manifest.ts'
import type { CompareOptions } from './subset.ts'

/** Returns how requests are validated: Fastify's defaults, overridden by the application's options. */
export function requestOptions({ ajv }: Manifest['factory']): CompareOptions {
  const { coerceTypes = 'array', useDefaults = true, removeAdditional = true } = ajv
  return {
    coerces: Boolean(coerceTypes),
    wraps: coerceTypes === 'array',
    fillsDefaults: Boolean(useDefaults),
    dropsOthers: Boolean(removeAdditional),
    misses: false,
  }
}

/** How clients read responses: additional members are harmless, missing ones aren't. */
export const responseOptions: CompareOptions = {
  coerces: false,
  wraps: false,
  fillsDefaults: false,
  dropsOthers: true,
  misses: true,
}
