/**
 * Describes types of schema libraries as JSON schemas. Runs in the sandbox, where the types are alive.
 *
 * A **parser** is a compiled function that takes the place of a library's type in an external part. Its digest is that of the type
 * (`runtime/artifact/zod-digest.ts`).
 */
import type { LibraryPart } from '../../model/index.ts'
import type { Direction, LibraryType, SchemaLibrary } from './library.ts'
import { zod } from './zod/index.ts'

const libraries: readonly SchemaLibrary[] = [zod]

/** A type as JSON schemas, and its parser. */
export interface Description extends LibraryPart {
  /** The schema of the values that the type reads. */
  readonly input: object
  /** The schema of the values that it returns. */
  readonly output: object
}

/** Returns `undefined` if the type can't be described completely. */
export function describeType(type: LibraryType): Description | undefined {
  const { vendor } = type['~standard']
  const library = libraries.find((one) => one.vendor === vendor) ?? standard(vendor)
  const input = toData(library, type, 'input')
  const output = toData(library, type, 'output')
  return input && output && { library: vendor, input, output, ...library.compile?.(type) }
}

/** Any library that implements Standard JSON Schema. */
function standard(vendor: string): SchemaLibrary {
  return {
    vendor,
    describe: (type, direction) =>
      type['~standard'].jsonSchema?.[direction]({ target: 'draft-07' }),
  }
}

/** Returns `undefined` if the library refuses, as most do for types without a JSON schema. */
function toData(
  library: SchemaLibrary,
  type: LibraryType,
  direction: Direction,
): object | undefined {
  try {
    // JSON leaves out members that libraries hide in what they return.
    const text = JSON.stringify(library.describe(type, direction))
    const { $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>
    return schema
  } catch {
    return undefined
  }
}
