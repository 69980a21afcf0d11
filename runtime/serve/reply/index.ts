import { errorCodes } from '../../errors/index.ts'
import { streams } from '../../platform/index.ts'
import { runFromPreHandler } from '../handler.ts'
import type {
  HeaderValue,
  InitialValue,
  Instance,
  Logger,
  RawReply,
  Reply as ReplyShape,
  ReplyClass,
  Request,
  SerializerFunction,
  Trailer,
} from '../model.ts'
import { inherit } from '../request/index.ts'
import type { RouteContext } from '../route-context.ts'
import { serialize } from '../serialization.ts'
import {
  kContext,
  kInitialValues,
  kReplyEndTime,
  kReplyGuarded,
  kReplyHasStatusCode,
  kReplyHeaders,
  kReplyHijacked,
  kReplyInErrorHook,
  kReplyIsError,
  kReplyNextErrorHandler,
  kReplySerializer,
  kReplyStartTime,
  kReplyTrailers,
  kRoute,
} from '../symbols.ts'
import { send } from './send.ts'
import { assertTrailer } from './trailers.ts'

type Headers = Record<string, HeaderValue>

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- Its fields, which `createReplyClass` sets.
interface Reply extends ReplyShape {}

/** The members of the reply object of handlers and hooks. */
class Reply {
  get server(): Instance {
    return this.request[kRoute].server
  }

  get sent(): boolean {
    return this[kReplyHijacked] || this.raw.writableEnded === true
  }

  get statusCode(): number {
    return this.raw.statusCode
  }

  set statusCode(code: number) {
    this.code(code)
  }

  /** Leaves the response to the caller. */
  hijack(): this {
    this[kReplyHijacked] = true
    return this
  }

  send(payload?: unknown): this {
    send(this, payload)
    return this
  }

  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase()
    const header = this[kReplyHeaders][key]
    return header === undefined ? this.raw.getHeader(key) : header
  }

  getHeaders(): Headers {
    return { ...(this.raw.getHeaders() as Headers), ...this[kReplyHeaders] }
  }

  hasHeader(name: string): boolean {
    const key = name.toLowerCase()
    return this[kReplyHeaders][key] !== undefined || this.raw.hasHeader(key)
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase()
    // Deleted instead of set to `undefined`, for which Node throws.
    delete this[kReplyHeaders][key]
    if (!this.raw.headersSent) this.raw.removeHeader(key)
    return this
  }

  /** Sets a header. `set-cookie` is appended. */
  header(name: string, value: HeaderValue = ''): this {
    const key = name.toLowerCase()
    const headers = this[kReplyHeaders]
    const isList = key === 'set-cookie' && (headers[key] || Array.isArray(value))
    // A copy, because the caller may use its array again.
    headers[key] = isList ? ([headers[key] || [], value].flat() as string[]) : value
    return this
  }

  headers(headers: Headers): this {
    for (const name of Object.keys(headers)) this.header(name, headers[name])
    return this
  }

  /** @throws FST_ERR_BAD_TRAILER_NAME, FST_ERR_BAD_TRAILER_VALUE */
  trailer(name: string, trailer: Trailer): this {
    const key = name.toLowerCase()
    assertTrailer(key, trailer)
    ;(this[kReplyTrailers] ??= {})[key] = trailer
    return this
  }

  hasTrailer(name: string): boolean {
    return this[kReplyTrailers]?.[name.toLowerCase()] !== undefined
  }

  removeTrailer(name: string): this {
    if (this[kReplyTrailers] !== null) this[kReplyTrailers][name.toLowerCase()] = undefined
    return this
  }

  /** @throws FST_ERR_BAD_STATUS_CODE */
  code(code: number): this {
    const status = Number(code)
    if (!(status >= 100 && status <= 599)) {
      throw new errorCodes.FST_ERR_BAD_STATUS_CODE(code || String(code))
    }
    this.raw.statusCode = status
    this[kReplyHasStatusCode] = true
    return this
  }

  status(code: number): this {
    return this.code(code)
  }

  /** Returns the serializer of a status and media type, or of a schema that was compiled for this route. */
  getSerializationFunction(schemaOrStatus: unknown, contentType?: string | null): unknown {
    const route = this.request[kRoute]
    if (isStatus(schemaOrStatus)) return serializerOf(route, schemaOrStatus, contentType)
    if (typeof schemaOrStatus !== 'object') return undefined
    return route.compiledSerializers?.get(schemaOrStatus as object)
  }

  /** Compiles a schema once for each route. */
  compileSerializationSchema(
    schema: object,
    httpStatus: string | number | null = null,
    contentType: string | null = null,
  ): SerializerFunction {
    const route = this.request[kRoute]
    const compiled = route.compiledSerializers?.get(schema)
    if (compiled !== undefined) return compiled
    const { app, schemas } = route.server[kContext]
    const { serializerOpts } = app.options
    const compile = route.serializerCompiler || schemas.serializer.provide(serializerOpts)
    const { method, url } = this.request
    const serializer = compile({ schema, method, url, httpStatus, contentType })
    ;(route.compiledSerializers ??= new WeakMap()).set(schema, serializer)
    return serializer
  }

  /**
   * Serializes with a schema or with a response schema of the route: `(input, schema, status, contentType)` or
   * `(input, status, contentType)`.
   *
   * @throws FST_ERR_MISSING_SERIALIZATION_FN, FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN
   */
  serializeInput(
    input: unknown,
    schema: unknown,
    second?: string | number | null,
    third?: string | null,
  ): unknown {
    const status = isStatus(schema) ? schema : second
    // Without a schema, the content type is the second argument after the input.
    const contentType = status && second !== status ? (second as string | null | undefined) : third
    if (status === null || status === undefined) {
      return this.compileSerializationSchema(schema as object, null, contentType)(input)
    }
    const serializer = serializerOf(this.request[kRoute], status, contentType)
    if (serializer) return (serializer as SerializerFunction)(input)
    if (contentType) {
      throw new errorCodes.FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN(status, contentType)
    }
    throw new errorCodes.FST_ERR_MISSING_SERIALIZATION_FN(status)
  }

  /** Serializes a payload as `send` serializes objects. */
  serialize(payload: unknown): unknown {
    if (this[kReplySerializer] !== null) return this[kReplySerializer](payload)
    const route = this.request[kRoute]
    if (route.replySerializer) return route.replySerializer(payload, this.raw.statusCode)
    return serialize(route, payload, this.raw.statusCode)
  }

  /** Sets the serializer of this reply, which takes precedence over all others. Its `this` is the reply. */
  serializer(serializer: (payload: unknown) => unknown): this {
    this[kReplySerializer] = serializer
    return this
  }

  type(contentType: string): this {
    this[kReplyHeaders]['content-type'] = contentType
    return this
  }

  /** Answers with the 404 handler. */
  callNotFound(): this {
    const { notFound } = this.request[kRoute]
    if (notFound === null) {
      this.log.warn(
        'Trying to send a NotFound error inside a 404 handler. Sending basic 404 response.',
      )
      return this.code(404).send('404 Not Found')
    }
    this.request[kRoute] = notFound
    runFromPreHandler(this.request, this)
    return this
  }

  /** Resolves when the response has finished, so that an async handler can `await reply`. */
  // oxlint-disable-next-line unicorn/no-thenable
  then(fulfilled: () => void, rejected?: (error: Error) => void): void {
    if (this.sent) {
      fulfilled()
      return
    }
    streams().finished(this.raw, (error) => {
      // `finished` creates the error for a premature close: the stream has none.
      if (!error || error.code === 'ERR_STREAM_PREMATURE_CLOSE') fulfilled()
      else if (rejected) rejected(error)
      else this.log?.warn('unhandled rejection on reply.then')
    })
  }
}

function isStatus(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function serializerOf(
  route: RouteContext,
  status: string | number,
  contentType: string | null | undefined,
): unknown {
  const entry = route.serializers?.[status]
  if (typeof contentType !== 'string') return entry
  return typeof entry === 'object' ? entry[contentType] : undefined
}

/** The prototype of the replies of all lines. */
export const baseReply: object = Reply.prototype

/** Creates the class of a line or of a context, see `createRequestClass`. */
export function createReplyClass(members: object, Parent?: ReplyClass): ReplyClass {
  const initialValues = Parent?.[kInitialValues].slice() ?? []
  // Named by a property: bundlers rename a function that shadows the class above, and messages of V8 show the name.
  const named = {
    Reply: function (
      this: ReplyShape & Record<PropertyKey, unknown>,
      raw: RawReply,
      request: Request,
      log: Logger,
    ): void {
      this.raw = raw
      this[kReplyIsError] = false
      this[kReplyHijacked] = false
      this[kReplySerializer] = null
      this.request = request
      this[kReplyHeaders] = {}
      this[kReplyTrailers] = null
      this[kReplyHasStatusCode] = false
      this[kReplyStartTime] = undefined
      this[kReplyEndTime] = undefined
      this[kReplyNextErrorHandler] = undefined
      this[kReplyInErrorHook] = false
      this[kReplyGuarded] = false
      this.log = log
      for (let i = 0; i < initialValues.length; i++) {
        const { key, value } = initialValues[i] as InitialValue
        this[key] = value
      }
    },
  }
  return inherit(named.Reply, members, Parent, initialValues)
}

/** Creates the reply class of a context. */
export function deriveReply(Parent: ReplyClass): ReplyClass {
  return createReplyClass(Parent.prototype, Parent)
}
