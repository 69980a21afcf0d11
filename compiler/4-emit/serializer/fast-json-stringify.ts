/** Returns the code that fast-json-stringify 7 generates, and throws its errors. */
import { createRequire } from 'node:module'

interface SchemaCheck {
  (schema: unknown): boolean
  readonly errors: readonly { readonly instancePath: string; readonly message: string }[]
}

type DebugBuild = (
  schema: unknown,
  options: object,
) => {
  /** Starts with the names of the parameters, on a line each. */
  readonly code: string
  readonly validator: { getState(): { readonly ajvSchemas: Readonly<Record<string, unknown>> } }
}

const require = createRequire(import.meta.url)
const isSchema = require('fast-json-stringify/lib/schema-validator.js') as SchemaCheck

/**
 * Throws fast-json-stringify's error for an invalid schema.
 *
 * @param id the `$id` of a shared schema
 */
export function assertSchema(schema: unknown, id?: string): void {
  if (isSchema(schema)) return
  const [error] = isSchema.errors
  const name = id === undefined ? '' : `"${id}" `
  throw new Error(`${name}schema is invalid: data${error?.instancePath} ${error?.message}`)
}

/**
 * Returns the code of a serializer, and the schemas that it needs validators for, by the key in the code. For some patterns and empty
 * unions, fast-json-stringify generates broken code. Then this throws the same `SyntaxError` as fast-json-stringify at run time.
 */
export function buildCode(
  schema: unknown,
  options: object,
): { readonly code: string; readonly schemas: Readonly<Record<string, unknown>> } {
  // Loaded here, because builds after an edit often compile no serializer.
  const build = require('fast-json-stringify') as DebugBuild
  const { code, validator } = build(schema, { ...options, mode: 'debug' })
  // oxlint-disable-next-line no-new-func -- only parsed, to throw the SyntaxError
  Function('validator', 'serializer', code)
  return { code, schemas: validator.getState().ajvSchemas }
}
