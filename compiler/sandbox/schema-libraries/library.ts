/** The interface of schema libraries whose types routes use in place of JSON schemas. */
import type { LibraryParser } from '../../model/index.ts'

export type Direction = 'input' | 'output'

/** A type of a library. Standard Schema says which library it is of. */
export interface LibraryType {
  readonly '~standard': {
    readonly vendor: string
    /** Converts the type: Standard JSON Schema. */
    readonly jsonSchema?: Readonly<Record<Direction, (options: ConversionOptions) => unknown>>
  }
}

export interface ConversionOptions {
  readonly target: 'draft-07'
}

/** A parser that takes the place of the type's own, or why there is none. */
export interface CompiledType {
  readonly parser?: LibraryParser | undefined
  /** Completes "Its type parses at run time: ….". */
  readonly refusal?: string | undefined
}

/** A folder beside this file implements it for one library. The runtime attaches parsers to the live types. */
export interface SchemaLibrary {
  readonly vendor: string
  /** Returns the JSON schema of what the type reads or returns; `undefined` if the library can't convert it. */
  describe(type: LibraryType, direction: Direction): unknown
  /** Compiles the type, if the library has a compiler. */
  compile?(type: LibraryType): CompiledType | undefined
}
