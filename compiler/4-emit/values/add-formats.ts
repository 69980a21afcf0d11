import type { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { ZONED_FORMATS } from './known-values.ts'

/** Gives an instance of Ajv what that version of ajv-formats has. */
export function addFormats(ajv: Ajv, version: 2 | 3): void {
  ajvFormats.default(ajv)
  if (version === 2) return
  for (const [name, format] of Object.entries(ZONED_FORMATS)) ajv.addFormat(name, format)
}
