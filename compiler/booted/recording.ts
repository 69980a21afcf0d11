/** What a booted application tells of itself. It crosses a process border: plain data only. */

/** A place in a source file, whatever was made of the file to run it. `line` and `column` count from 1. */
export interface RecordedPlace {
  /** Absolute. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A value as data; what is none is left out and listed. */
export interface RecordedValue {
  readonly value: unknown
  readonly holes: readonly { readonly path: readonly (string | number)[]; readonly why: string }[]
}

export interface RecordedRoute {
  /** Upper case. */
  readonly methods: readonly string[]
  /** The full URL, prefixes included. */
  readonly url: string
  /** The `schema` option as `onRoute` hooks have left it. */
  readonly schema: RecordedValue | undefined
  readonly hasValidatorCompiler: boolean
  readonly hasSerializerCompiler: boolean
  /** Whether a GET route is given a HEAD twin. Twins are not listed. */
  readonly exposeHeadRoute: boolean
  readonly at: RecordedPlace | undefined
  /** A package declares it, not the application. */
  readonly isOfPackage: boolean
}

export interface RecordedSchema {
  readonly id: string
  readonly schema: RecordedValue
  /** Where `addSchema` was called. */
  readonly at: RecordedPlace | undefined
  readonly isOfPackage: boolean
}

export interface RecordedContext {
  readonly name: string
  /** The full prefix. */
  readonly prefix: string
  /** Added in this very context, in order. */
  readonly schemas: readonly RecordedSchema[]
  readonly routes: readonly RecordedRoute[]
  readonly children: readonly RecordedContext[]
  /** `setValidatorCompiler` / `setSerializerCompiler` was called in this context. */
  readonly hasValidatorCompiler: boolean
  readonly hasSerializerCompiler: boolean
}

/** The options of the factory that decide what is compiled. */
export interface RecordedOptions {
  readonly customOptions: RecordedValue
  /** How many `ajv.plugins` there are. */
  readonly plugins: number
  readonly serializerOpts: RecordedValue
  readonly jsonShorthand: boolean
  readonly exposeHeadRoutes: boolean
  /** `schemaController.compilersFactory` brings that compiler. */
  readonly hasValidatorCompiler: boolean
  readonly hasSerializerCompiler: boolean
}

export interface Recording {
  readonly options: RecordedOptions
  readonly root: RecordedContext
  /** The lines of the application that have led to calls of its instances. */
  readonly calls: readonly RecordedPlace[]
  /** The application's files that were loaded, without those of packages. Absolute. */
  readonly files: readonly string[]
  /** What booting left open, by name: `timer`, `TCP socket`. */
  readonly handles: Readonly<Record<string, number>>
}

/** Why there is no recording. */
export interface RecordingFailure {
  /** `time`: it did not come to an end; `none`: it made no instance. */
  readonly kind: 'error' | 'time' | 'none'
  readonly reason: string
  readonly at: RecordedPlace | undefined
}

/** What the child process says, once. */
export type RecordingMessage =
  | { readonly type: 'recorded'; readonly recording: Recording }
  | { readonly type: 'failed'; readonly failure: RecordingFailure }
