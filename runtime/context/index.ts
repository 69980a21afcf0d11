import type { Application } from './application.ts'
import type { ApplicationLine } from './line.ts'
import { errorCodes } from '../errors/index.ts'
import { rootErrorHandler, type ErrorHandler } from '../serve/error-handler.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { defaultChildLoggerFactory } from '../serve/logger.ts'
import type {
  ChildLoggerFactory,
  Instance,
  RawRequest,
  ReplyClass,
  ReplySerializer,
  RequestClass,
  SchemaErrorFormatter,
} from '../serve/model.ts'
import { ContentTypeParsers } from '../serve/content-type-parsers.ts'
import { deriveReply } from '../serve/reply/index.ts'
import { deriveRequest } from '../serve/request/index.ts'
import type { RouteContext } from '../serve/route-context.ts'
import type { ServedContext } from '../serve/application.ts'
import { kContext } from '../serve/symbols.ts'
import { createSchemaController, SchemaController } from './schema.ts'
import { trustProxy, type TrustProxy } from '../serve/request/trust-proxy.ts'

/**
 * An encapsulation context: what is private to a plugin, and what it inherits.
 *
 * Contexts inherit by prototype, as instances do. Anything that `createChildContext` doesn't copy is read
 * from the nearest ancestor that has set it, even if that happens after the child was created.
 */
export interface Context extends ServedContext {
  readonly app: Application
  readonly instance: Instance
  readonly children: Context[]

  // Each context has its own.
  readonly prefix: string
  readonly logLevel: string
  readonly logSerializers: object | null
  readonly hooks: Hooks
  readonly parsers: ContentTypeParsers
  readonly Request: RequestClass
  readonly Reply: ReplyClass
  schemas: SchemaController
  /** Names of the plugins that form this context, outermost first. */
  readonly pluginNames: string[]
  /** Names of plugins that others may depend on. */
  readonly registeredPlugins: string[]

  /** Set by `setErrorHandler` of this context. */
  hasErrorHandler: boolean

  // Read from the parent until the context sets them.
  errorHandler: ErrorHandler
  childLoggerFactory: ChildLoggerFactory
  genReqId: (raw: RawRequest) => string
  replySerializer: ReplySerializer | null
  schemaErrorFormatter: SchemaErrorFormatter | null
  /** The context whose prefix this one's 404 handler answers for. */
  notFoundOwner: Context | null
  canSetNotFound: boolean
  notFound: RouteContext | null
}

/** Returns an instance's context. */
export function contextOf(instance: Instance): Context {
  return instance[kContext] as Context
}

/** @throws FST_ERR_INSTANCE_ALREADY_LISTENING */
export function assertNotStarted(instance: Instance, method: string): void {
  if (!contextOf(instance).app.state.started) return
  throw new errorCodes.FST_ERR_INSTANCE_ALREADY_LISTENING(`Cannot call "${method}"!`)
}

/** Settings that routes read from their context, when they are declared and when they are loaded. */
export type ContextSettings = Readonly<
  Pick<Context, 'errorHandler' | 'childLoggerFactory' | 'replySerializer' | 'schemaErrorFormatter'>
>

/** Returns the current settings of a context. */
export function settingsOf(context: Context): ContextSettings {
  const { errorHandler, childLoggerFactory, replySerializer, schemaErrorFormatter } = context
  return { errorHandler, childLoggerFactory, replySerializer, schemaErrorFormatter }
}

/** The options that distinguish a child context from its parent. */
export interface ContextOptions {
  readonly prefix?: string | undefined
  readonly logLevel?: string | undefined
  readonly logSerializers?: object | undefined
}

export function createRootContext(app: Application): Context {
  const { line, options } = app
  const parseJson = line.createJsonParser(options.onProtoPoisoning, options.onConstructorPoisoning)
  return {
    app,
    instance: app.root,
    children: [],
    prefix: '',
    logLevel: '',
    logSerializers: null,
    hooks: createHooks(),
    parsers: ContentTypeParsers.createDefault(app.bodyLimit, parseJson, line.typeRules),
    Request: createRequestClass(line, options.trustProxy),
    Reply: deriveReply(line.Reply),
    schemas: createSchemaController(options.schemaController, app.compilers, line),
    pluginNames: ['fastify'],
    registeredPlugins: [],
    errorHandler: rootErrorHandler,
    hasErrorHandler: false,
    childLoggerFactory: options.childLoggerFactory || defaultChildLoggerFactory,
    genReqId: options.genReqId,
    replySerializer: null,
    schemaErrorFormatter: null,
    notFoundOwner: null,
    canSetNotFound: true,
    notFound: null,
  }
}

function createRequestClass(
  { Request, forwardedHost }: ApplicationLine,
  trust: TrustProxy | undefined,
): RequestClass {
  const Class = deriveRequest(Request)
  if (trust) trustProxy(Class, trust, forwardedHost)
  return Class
}

/** Creates a child context, copying what it must not share with its parent. */
export function createChildContext(
  parent: Context,
  instance: Instance,
  pluginName: string,
  options: ContextOptions,
): Context {
  const { logSerializers } = parent
  const ownMembers = {
    instance,
    children: [],
    prefix: joinPrefix(parent.prefix, options.prefix),
    logLevel: options.logLevel || parent.logLevel,
    logSerializers:
      logSerializers || options.logSerializers
        ? Object.assign(Object.create(logSerializers) as object, options.logSerializers)
        : null,
    hooks: createHooks(parent.hooks),
    parsers: parent.parsers.inherit(),
    Request: deriveRequest(parent.Request),
    Reply: deriveReply(parent.Reply),
    schemas: new SchemaController(parent.schemas.parts, parent.schemas),
    pluginNames: [pluginName],
    hasErrorHandler: false,
    registeredPlugins: parent.registeredPlugins.slice(),
  }
  const context = Object.assign(Object.create(parent) as Context, ownMembers)
  parent.children.push(context)
  return context
}

/** Joins prefixes with one slash, whether they end or start with one. */
function joinPrefix(outer: string, inner: string | undefined): string {
  if (!inner) return outer
  // A prefix may be a number.
  return `${outer.replace(/\/$/, '')}/${String(inner).replace(/^\//, '')}`
}
