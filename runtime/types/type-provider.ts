import type { HttpKeys } from './basic/status.ts'
import type { ByLine } from './basic/line.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifySchema } from './schema.ts'

/**
 * Maps a schema's type to the type of the data that it describes.
 *
 * A provider extends this interface and computes `output` from `this['input']`, the schema's type:
 *
 *     interface TypeBoxProvider extends FastifyTypeProvider {
 *       output: this['input'] extends TSchema ? Static<this['input']> : unknown
 *     }
 */
export interface FastifyTypeProvider {
  readonly input?: unknown
  readonly output?: unknown
  /** Providers of Fastify 5 compute `validator` and `serializer` from `this['schema']`: what a schema accepts and what it sends may differ. */
  readonly schema?: unknown
  readonly validator?: unknown
  readonly serializer?: unknown
}

/** The provider of a new instance, which derives no types from schemas. */
export interface FastifyTypeProviderDefault extends FastifyTypeProvider {}

/** The type that a provider derives from a schema. */
export type CallTypeProvider<
  Provider extends FastifyTypeProvider,
  Schema,
  Member extends 'validator' | 'serializer' = 'validator',
> = Provider & { input: Schema; schema: Schema } extends infer Called extends FastifyTypeProvider
  ? unknown extends Called[Member]
    ? Called['output']
    : Called[Member]
  : never

/** The four typed parts of a request. */
export interface FastifyRequestType<
  Params = unknown,
  Querystring = unknown,
  Headers = unknown,
  Body = unknown,
> {
  params: Params
  query: Querystring
  headers: Headers
  body: Body
}

/** The payload that `reply.send` takes. */
export type FastifyReplyType<Reply = unknown> = Reply

/** The tuple prevents distribution over unions, so that `undefined | null` doesn't become `unknown`. */
type UndefinedToUnknown<T> = [T] extends [undefined] ? unknown : T

/** `keyof` that sees the keys of every member of a union, so that a generic can be a union. */
type KeysOf<T> = T extends unknown ? keyof T : never

/** An explicit route generic wins; without one the provider reads the schema. */
type ExplicitOr<Explicit, Provider extends FastifyTypeProvider, Schema> = UndefinedToUnknown<
  KeysOf<Explicit> extends never ? CallTypeProvider<Provider, Schema> : Explicit
>

/** Lowercases header names, as Node does, however the schema or the generic spells them. */
export type RecordKeysToLowercase<Input> =
  Input extends Record<string, unknown>
    ? { [Key in keyof Input as Key extends string ? Lowercase<Key> : Key]: Input[Key] }
    : Input

/** The parts of a request as route generics, schema and provider decide them. */
export interface ResolveFastifyRequestType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> extends FastifyRequestType {
  params: ExplicitOr<RouteGeneric['Params'], TypeProvider, SchemaCompiler['params']>
  query: ExplicitOr<RouteGeneric['Querystring'], TypeProvider, SchemaCompiler['querystring']>
  headers: RecordKeysToLowercase<
    ExplicitOr<RouteGeneric['Headers'], TypeProvider, SchemaCompiler['headers']>
  >
  body: ExplicitOr<RouteGeneric['Body'], TypeProvider, SchemaCompiler['body']>
}

type ByMediaType = { content: { [mediaType: string]: { schema: unknown } } }

/** Uses `infer`, so that a schema without `response` results in `unknown` instead of an error. */
type ValuesOf<T> = T extends infer Known ? Known[keyof Known] : unknown

/** One entry of `response`: a plain schema, or one schema for each media type. */
type ResolveResponseEntry<
  TypeProvider extends FastifyTypeProvider,
  Entry,
> = Entry extends ByMediaType
  ? ValuesOf<{
      [MediaType in keyof Entry['content']]: CallTypeProvider<
        TypeProvider,
        Entry['content'][MediaType]['schema'],
        'serializer'
      >
    }>
  : CallTypeProvider<TypeProvider, Entry, 'serializer'>

type ResolveReplyFromSchema<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
> = ValuesOf<{
  [Status in keyof SchemaCompiler['response']]: ResolveResponseEntry<
    TypeProvider,
    SchemaCompiler['response'][Status]
  >
}>

/** The payload type: the `Reply` generic, else the union of what the response schemas describe. */
export type ResolveFastifyReplyType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> = UndefinedToUnknown<
  KeysOf<RouteGeneric['Reply']> extends never
    ? ResolveReplyFromSchema<TypeProvider, SchemaCompiler>
    : RouteGeneric['Reply']
>

/** Return type of handlers: the payload or nothing, directly or as a promise. */
export type ResolveFastifyReplyReturnType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> =
  ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric> extends infer Reply
    ? OfAnyStatus<Reply> | void | Promise<OfAnyStatus<Reply> | void>
    : unknown

/** The payload that a handler may return for a `Reply` generic, or one of its payloads by status. */
export type HandlerResult<Reply> = OfAnyStatus<Reply> | void | Promise<OfAnyStatus<Reply> | void>

type OfAnyStatus<Reply> = Reply | (keyof Reply extends HttpKeys ? Reply[keyof Reply] : never)

/** The arguments of `send`. In `framework/5`, a payload that has a type is required. */
export type SendArgs<Reply> = ByLine<
  [payload?: Reply],
  unknown extends Reply
    ? [payload?: Reply]
    : [Reply] extends [undefined | void]
      ? [payload?: Reply]
      : [payload: Reply]
>

/** Fastify 5's name for the promise type of a thenable instance. */
export type SafePromiseLike<T> = PromiseLike<T>
