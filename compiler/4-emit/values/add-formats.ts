import type { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { ZONED_FORMATS } from './known-values.ts'

/** Adds the formats of a version of ajv-formats. */
export function addFormats(ajv: Ajv, version: 2 | 3): void {
  ajvFormats.default(ajv)
  if (version === 2) return
  for (const [name, format] of Object.entries(ZONED_FORMATS)) ajv.addFormat(name, format)
}
