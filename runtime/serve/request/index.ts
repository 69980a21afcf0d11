import { errorCodes } from '../../errors/index.ts'
import type {
  InitialValue,
  Instance,
  Logger,
  RawRequest,
  ReplyClass,
  Request as RequestShape,
  RequestClass,
  ValidatorFunction,
  ValidatorResult,
} from '../model.ts'
import type { RouteContext } from '../route-context.ts'
import { kContext, kExtraHeaders, kInitialValues, kParentClass, kRoute } from '../symbols.ts'
import { getValidator } from '../validation.ts'

const kOriginalUrl: unique symbol = Symbol('framework.request.originalUrl')

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- Its fields, which `createRequestClass` sets.
interface Request extends RequestShape {}

/** The members of the request object of handlers and hooks. */
class Request {
  declare [kOriginalUrl]?: string

  get server(): Instance {
    return this[kRoute].server
  }

  get url(): string {
    return this.raw.url as string
  }

  /** The URL before `rewriteUrl` was called. */
  get originalUrl(): string {
    return (this[kOriginalUrl] ||= this.raw.originalUrl || (this.raw.url as string))
  }

  get method(): string {
    return this.raw.method as string
  }

  get is404(): boolean {
    return this[kRoute].config.url === undefined
  }

  get socket(): RequestShape['socket'] {
    return this.raw.socket
  }

  get ip(): string | undefined {
    return this.socket?.remoteAddress
  }

  get protocol(): string | undefined {
    const { socket } = this
    return socket ? (socket.encrypted ? 'https' : 'http') : undefined
  }

  get headers(): Record<string, string | undefined> {
    const headers = this.raw.headers as Record<string, string | undefined>
    return this[kExtraHeaders] ? { ...headers, ...this[kExtraHeaders] } : headers
  }

  set headers(headers: Record<string, string | undefined>) {
    this[kExtraHeaders] = headers
  }

  /** Returns the validator of a part, or of a schema that was compiled for this route. */
  getValidationFunction(partOrSchema: unknown): ReturnType<typeof getValidator> {
    const route = this[kRoute]
    if (typeof partOrSchema === 'string') return getValidator(route, partOrSchema)
    if (typeof partOrSchema !== 'object') return undefined
    return route.compiledValidators?.get(partOrSchema as object)
  }

  /** Compiles a schema once for each route. */
  compileValidationSchema(schema: object, httpPart: string | null = null): ValidatorFunction {
    const route = this[kRoute]
    const compiled = route.compiledValidators?.get(schema)
    if (compiled !== undefined) return compiled
    const { app, schemas } = route.server[kContext]
    const compile = route.validatorCompiler || schemas.validator.provide(app.options.ajv)
    const { method, url } = this
    const validate = compile({ schema, method, url, httpPart })
    ;(route.compiledValidators ??= new WeakMap()).set(schema, validate)
    return validate
  }

  /** @throws FST_ERR_REQ_INVALID_VALIDATION_INVOCATION without a schema and without a part that has one */
  validateInput(
    input: unknown,
    schema?: unknown,
    part?: string,
  ): ValidatorResult | PromiseLike<ValidatorResult> {
    const httpPart = typeof schema === 'string' ? schema : part
    const validate = typeof httpPart === 'string' && getValidator(this[kRoute], httpPart)
    // As in Fastify, fails for a body with a schema for each media type.
    if (validate) return (validate as ValidatorFunction)(input)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw new errorCodes.FST_ERR_REQ_INVALID_VALIDATION_INVOCATION(httpPart)
    }
    return this.compileValidationSchema(schema, httpPart)(input)
  }
}

/** The prototype of the requests of all lines. */
export const baseRequest: object = Request.prototype

/**
 * Creates the class of a line or of a context. It doesn't call the constructor of its parent, because contexts may be nested deeply.
 *
 * @param members what its objects inherit: the prototype of the class's own prototype
 */
export function createRequestClass(members: object, Parent?: RequestClass): RequestClass {
  const initialValues = Parent?.[kInitialValues].slice() ?? []
  // Named by a property: bundlers rename a function that shadows the class above, and messages of V8 show the name.
  const named = {
    Request: function (
      this: RequestShape & Record<PropertyKey, unknown>,
      id: string,
      params: unknown,
      raw: RawRequest,
      query: unknown,
      log: Logger,
      route: RouteContext,
    ): void {
      this.id = id
      this[kRoute] = route
      this.params = params
      this.raw = raw
      this.query = query
      this.log = log
      this.body = undefined
      for (let i = 0; i < initialValues.length; i++) {
        const { key, value } = initialValues[i] as InitialValue
        this[key] = value
      }
    },
  }
  return inherit(named.Request, members, Parent, initialValues)
}

/** Creates the request class of a context. */
export function deriveRequest(Parent: RequestClass): RequestClass {
  return createRequestClass(Parent.prototype, Parent)
}

/** Makes a function a subclass of `Parent`. Without one, makes it the constructor of the members, whose name is in V8's errors about them. */
export function inherit<Class extends RequestClass | ReplyClass>(
  Derived: Function,
  members: object,
  Parent: Class | undefined,
  initialValues: InitialValue[],
): Class {
  Object.setPrototypeOf(Derived.prototype, members)
  if (Parent === undefined) Object.assign(members, { constructor: Derived })
  else Object.setPrototypeOf(Derived, Parent)
  return Object.assign(Derived as Class, {
    [kInitialValues]: initialValues,
    [kParentClass]: Parent,
  })
}
