import type { Manifest } from '../5-bundle/manifest.ts'
import type { Manner } from './subset.ts'

/** How requests are validated: Fastify's defaults, and what the application says. */
export function requestManner({ ajv }: Manifest['factory']): Manner {
  const { coerceTypes = 'array', useDefaults = true, removeAdditional = true } = ajv
  return {
    coerces: Boolean(coerceTypes),
    wraps: coerceTypes === 'array',
    fillsDefaults: Boolean(useDefaults),
    dropsOthers: Boolean(removeAdditional),
    misses: false,
  }
}

/** How responses are read: what they hold besides is no harm, what they lack is. */
export const responseManner: Manner = {
  coerces: false,
  wraps: false,
  fillsDefaults: false,
  dropsOthers: true,
  misses: true,
}
