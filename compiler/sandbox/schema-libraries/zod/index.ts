/** Zod 4, classic and mini. Types of Zod 3 have no `_zod`. */
import { isZodType, type ZodType } from '../../../../runtime/artifact/zod-digest.ts'
import type { Direction, SchemaLibrary } from '../library.ts'
import { compileParser } from './compile.ts'
import { definitionOf, loadCore } from './core.ts'

interface Converted {
  readonly zodSchema: ZodType
  readonly jsonSchema: Record<string, unknown>
}

export const zod: SchemaLibrary = {
  vendor: 'zod',
  describe(type, direction) {
    if (!isZodType(type)) return undefined
    return loadCore().toJSONSchema(type, {
      target: 'draft-7',
      io: direction,
      // Types without a JSON schema may be anything.
      unrepresentable: 'any',
      override: (converted: Converted) => override(converted, direction),
    })
  },
  compile: (type) => (isZodType(type) ? compileParser(type) : undefined),
}

function override({ zodSchema, jsonSchema }: Converted, direction: Direction): void {
  // `JSON.stringify` writes dates as text.
  if (definitionOf(zodSchema).type === 'date' && direction === 'output')
    Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}
