import type { ConstructorAction, ProtoAction } from './basic/initial-config.ts'
import type { Buffer } from 'node:buffer'
import type { Loose } from './basic/loose.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'
import type { RawServerBase, RawServerDefault, RequestOf } from './basic/raw.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** Passes on the parsed body, or fails the request. */
type ParserDone = (err: Error | null, body?: Loose) => void

/** Parses a body that was read completely. */
export type FastifyBodyParser<
  RawBody extends string | Buffer,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
      done: ParserDone,
    ) => void)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
    ) => Promise<Loose>)

/** Reads a body from the raw stream, and limits its size itself. */
export type FastifyContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
    ) => Promise<Loose>)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
      done: ParserDone,
    ) => void)

/** `'*'` is for types without another parser. Texts take precedence over regular expressions, and later parsers over earlier ones. */
type ContentTypes = string | string[] | RegExp

/** Adds a parser that reads the raw stream. */
interface AddStreamParser<Parser> {
  (contentType: ContentTypes, opts: { bodyLimit?: number | undefined }, parser: Parser): void
  (contentType: ContentTypes, parser: Parser): void
}

/**
 * Adds a parser for the bodies of some media types. `bodyLimit` is in bytes, default that of the route.
 * Throws `FST_ERR_CTP_*` for a type that has a parser already or cannot have one.
 */
export interface AddContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RequestOf<RawServer> = RequestOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> extends AddStreamParser<
  FastifyContentTypeParser<RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider>
> {
  <parseAs extends string | Buffer>(
    contentType: ContentTypes,
    opts: {
      parseAs: parseAs extends Buffer ? 'buffer' : 'string'
      bodyLimit?: number | undefined
    },
    parser: FastifyBodyParser<
      parseAs,
      RawServer,
      RawRequest,
      RouteGeneric,
      SchemaCompiler,
      TypeProvider
    >,
  ): void
}

/** Returns whether this context has a parser for a media type. */
export type hasContentTypeParser = (contentType: string | RegExp) => boolean

/** Does nothing for a type that has no parser. */
export type removeContentTypeParser = (contentType: string | RegExp | (string | RegExp)[]) => void

/** Removes the built-in parsers of JSON and text as well. */
export type removeAllContentTypeParsers = () => void

/** Creates a JSON parser like the built-in one, with its own handling of dangerous keys. */
export type getDefaultJsonParser = (
  onProtoPoisoning: ProtoAction,
  onConstructorPoisoning: ConstructorAction,
) => FastifyBodyParser<string>
