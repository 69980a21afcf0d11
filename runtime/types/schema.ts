import type { AjvOptions } from './basic/validator-options.ts'
import type { ValidationResult as FastifySchemaValidationError } from './error.ts'
import type { FastifyInstance } from './instance.ts'
import type { Loose } from './basic/loose.ts'

/**
 * The schemas of a route, one for each part.
 *
 * The parts are `unknown` because a schema may be JSON Schema, what a schema builder returns, or whatever the
 * instance's own validator compiler reads. Plugins add their keys by declaration merging.
 */
export interface FastifySchema {
  /** For the parsed body. */
  body?: unknown
  /** For the query string. `query` is accepted as well. */
  querystring?: unknown
  /** For the parameters of the URL. */
  params?: unknown
  /** For the headers. Names are compared in lower case. */
  headers?: unknown
  /** By status: `200`, `'2xx'` or `default`. */
  response?: unknown
}

/** The argument of a compiler: the schema and its route. */
export interface FastifyRouteSchemaDef<T> {
  schema: T
  method: string
  url: string
  /** For a validator: `body`, `headers`, `params` or `querystring`. */
  httpPart?: string
  /** For a serializer: the key of the entry in `response`. */
  httpStatus?: string
  /** For a serializer: the media type of an entry with `content`. */
  contentType?: string
}

export type { FastifySchemaValidationError }

/**
 * Checks one part of a request. Returns a boolean and sets its property `errors`, as Ajv does, or returns `{ error }` or `{ value }`, where
 * `value` replaces the part.
 */
interface ValidateData {
  (
    data: Loose,
  ):
    | boolean
    | PromiseLike<Loose>
    | { error?: Error | FastifySchemaValidationError[]; value?: Loose }
  errors?: FastifySchemaValidationError[] | null
}

/** A compiled validator. Plugins may narrow its `errors` by declaration merging, so compilers aren't typed by it. */
export interface FastifyValidationResult extends ValidateData {}

/** Makes the validation function of one part of one route. */
export type FastifySchemaCompiler<T> = (routeSchema: FastifyRouteSchemaDef<T>) => ValidateData

/** Makes the function that turns one response's payload into text. */
export type FastifySerializerCompiler<T> = (
  routeSchema: FastifyRouteSchemaDef<T>,
) => (data: Loose) => string

/** The name of a part, for error formatters. */
export type SchemaErrorDataVar = 'body' | 'headers' | 'params' | 'querystring'

/** Turns the violations of one part into the error that the request fails with. Must be synchronous. */
export type SchemaErrorFormatter = (
  errors: FastifySchemaValidationError[],
  dataVar: SchemaErrorDataVar,
) => Error

/** Where the shared schemas of one context are kept. */
export interface FastifySchemaBucket {
  add(schema: unknown): FastifyInstance
  getSchema(schemaId: string): unknown
  getSchemas(): Record<string, unknown>
}

/**
 * Makes validator compilers. It is called once for each context that has schemas of its own.
 *
 * An interface of method shape, so that a factory written for narrower arguments (Ajv's own types, say) fits.
 */
export interface FastifyCompilersFactory {
  buildValidator?(
    externalSchemas: Record<string, Loose>,
    options?: {
      mode?: Loose
      customOptions?: AjvOptions | undefined
      plugins?: Loose
      onCreate?: Loose
    },
  ): (...args: Loose[]) => Loose
  /** Makes serializer compilers; `options` is the `serializerOpts` of the factory. */
  buildSerializer?(externalSchemas?: Loose, options?: Loose): (...args: Loose[]) => Loose
}

/** Replaces where schemas are kept and who compiles them. */
export interface FastifySchemaControllerOptions {
  /** Called once for each context with the schemas of its parent. */
  bucket?: ((parentSchemas?: unknown) => FastifySchemaBucket) | undefined
  compilersFactory?: FastifyCompilersFactory | undefined
}
