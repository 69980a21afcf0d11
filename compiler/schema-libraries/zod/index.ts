/** Zod 4, classic and mini. Types of Zod 3 have no `_zod`. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { Direction, LibraryType, SchemaLibrary } from '../library.ts'

interface ZodType extends LibraryType {
  readonly _zod?: { readonly def: { readonly type: string } }
}

interface Converted {
  readonly zodSchema: ZodType
  readonly jsonSchema: Record<string, unknown>
}

type ToJsonSchema = (type: ZodType, options: object) => unknown

export const zod: SchemaLibrary = {
  vendor: 'zod',
  describe(type, direction) {
    if ((type as ZodType)._zod === undefined) return undefined
    return loadConverter()(type, {
      target: 'draft-7',
      io: direction,
      // Types without a JSON schema may be anything.
      unrepresentable: 'any',
      override: (converted: Converted) => override(converted, direction),
    })
  },
}

function override({ zodSchema, jsonSchema }: Converted, direction: Direction): void {
  // `JSON.stringify` writes dates as text.
  if (zodSchema._zod?.def.type === 'date' && direction === 'output')
    Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}

/** Returns the function of the application's Zod. `zod/mini` doesn't have it on its types. */
function loadConverter(): ToJsonSchema {
  const load = createRequire(join(process.cwd(), 'package.json'))
  const { toJSONSchema } = load('zod/v4/core') as { readonly toJSONSchema: ToJsonSchema }
  return toJSONSchema
}
