/** The interface of schema libraries whose types routes use in place of JSON schemas. */

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
  /** Options that only the library knows. */
  readonly libraryOptions?: object
}

/** A folder beside this file implements it for one library. */
export interface SchemaLibrary {
  readonly vendor: string
  /** Returns the JSON schema of what the type reads or returns; `undefined` if the library can't convert it. */
  describe(type: LibraryType, direction: Direction): unknown
}
