import { createRequire } from 'node:module'

interface SchemaError {
  readonly instancePath: string
  readonly message: string
}

interface SchemaCheck {
  (schema: unknown): boolean
  readonly errors: readonly SchemaError[]
}

/** The schema check of fast-json-stringify. */
export const isSchema: SchemaCheck = createRequire(import.meta.url)(
  'fast-json-stringify/lib/schema-validator.js',
) as SchemaCheck

/** Valid schemas. Shared ones come with each schema that refers to them. */
const known = new WeakSet<object>()

/**
 * Throws fast-json-stringify's error for an invalid schema.
 *
 * @param id the `$id` of a shared schema
 */
export function assertSchema(schema: unknown, id?: string): void {
  if (known.has(schema as object)) return
  if (isSchema(schema)) return void (typeof schema === 'object' && known.add(schema as object))
  const { instancePath, message } = isSchema.errors[0] as SchemaError
  const name = id === undefined ? '' : `"${id}" `
  throw new Error(`${name}schema is invalid: data${instancePath} ${message}`)
}
