import { createInject } from '../adapter/inject.ts'
import { createListenMethods } from '../adapter/listen.ts'
import { createHttpVersionTest } from '../adapter/create-server.ts'
import { kLazyServer, LazyServer } from '../adapter/lazy-server.ts'
import type { Application } from '../context/application.ts'
import { Boot } from '../boot/index.ts'
import { createClientErrorListener } from '../adapter/client-error.ts'
import { markArtifactsUsed } from '../artifact/registry.ts'
import { announce } from '../platform/announce.ts'
import { assertForceClose, closeServerOnClose } from './close.ts'
import { CompilersOfArtifacts } from '../compiled/index.ts'
import { contextOf, createRootContext, type ContextOptions } from '../context/index.ts'
import { answerBadUrl, createDispatch } from '../serve/dispatch.ts'
import type { RouteSource } from '../serve/route-context.ts'
import { encapsulate } from './encapsulate.ts'
import { instanceAccessors } from './accessors.ts'
import { instanceMethods } from './methods.ts'
import { createRouteMethods } from './routes.ts'
import { bindSchemaGetters } from './schema.ts'
import { createRouteEntry } from '../serve/lifecycle.ts'
import type { Instance, RawReply, RawRequest } from '../serve/model.ts'
import { createNotFound } from '../route/not-found.ts'
import type { ApplicationLine } from '../context/line.ts'
import { toFactoryOptions } from '../context/options.ts'
import { runListenHooks } from './listen-hooks.ts'
import { createReady, type BootReady } from './ready.ts'
import { createRouteRegistry } from '../route/index.ts'
import { buildRouteMeta } from '../route/route-meta.ts'
import { Router } from '../router/index.ts'
import { kContext } from '../serve/symbols.ts'

/** The root instance during its creation. */
type Root = { -readonly [key in keyof Instance]: Instance[key] } & Record<PropertyKey, unknown>

/** Creates an application. @throws FST_ERR_* for invalid options */
export function createInstance(given: unknown, line: ApplicationLine): Instance {
  const { options, initialConfig, logger, hasLogger } = toFactoryOptions(given || {}, line)
  const root = line.createRoot() as Root
  const compilers = new CompilersOfArtifacts(options.aot, line.name, line.schemas)
  const router = new Router<RawRequest, RawReply, RouteSource>({
    defaultRoute: (raw, response) => notFound.handle(raw, response),
    onBadUrl: (path, raw, response) => answerBadUrl(app, path, raw, response),
    buildPrettyMeta: buildRouteMeta,
    constraints: options.constraints,
    ignoreTrailingSlash: options.ignoreTrailingSlash,
    ignoreDuplicateSlashes: options.ignoreDuplicateSlashes,
    maxParamLength: options.maxParamLength,
    caseSensitive: options.caseSensitive,
    allowUnsafeRegex: options.allowUnsafeRegex,
    querystringParser: options.querystringParser,
    ...line.routerOptions(options, () => app),
  })
  const boot: Boot<Instance> = new Boot<Instance>(root, {
    timeout: options.pluginTimeout,
    endsShortPlugins: line.plugins.endsShortPlugins,
    endsInNextTick: line.plugins.endsInNextTick,
    timeoutCode: line.plugins.timeoutCode,
    override: (parent, plugin, pluginOptions) =>
      encapsulate(parent, plugin, pluginOptions as ContextOptions, bootReady, notFound),
  })
  const app: Application = {
    line,
    logging: line.createLogging(options),
    options,
    root,
    boot,
    router,
    compilers,
    state: { started: false, listening: false, closing: false },
    logger,
    hasLogger,
    methods: new Map(line.methods),
    validateHttpVersion: line.checksHttpVersion ? createHttpVersionTest(options) : () => true,
    return503OnClosing: options.return503OnClosing,
    bodyLimit: options.bodyLimit,
    preReady: [],
  }
  const enterRoute = createRouteEntry(app)
  const notFound = createNotFound(app, enterRoute)
  const dispatch = createDispatch(app)
  const onClientError = createClientErrorListener(root, options.clientErrorHandler || undefined)
  const lazyServer = new LazyServer(options, dispatch, (server) => {
    server.on('clientError', onClientError)
  })
  assertForceClose(options.forceCloseConnections, lazyServer)

  root[kContext] = createRootContext(app)
  Object.assign(
    root,
    instanceMethods,
    createRouteMethods(app, createRouteRegistry(app, enterRoute, notFound), notFound),
    {
      routing: dispatch,
      inject: createInject(app.state, dispatch, line.injectPackage),
      ...createListenMethods({
        state: app.state,
        get server() {
          return lazyServer.get()
        },
        secondaries: [],
        dispatch,
        listensBySettings: line.listensBySettings,
        addressesOf: line.addressesOf,
        onListening: (instance) => runListenHooks(contextOf(instance)),
        options,
      }),
      getDefaultJsonParser: line.createJsonParser,
      log: logger,
      initialConfig,
      printPlugins: () => boot.prettyPrint(),
    },
  )
  Object.defineProperties(root, instanceAccessors)
  Object.defineProperties(root, Object.getOwnPropertyDescriptors(line.createMembers(app)))
  exposeServer(root, lazyServer)
  bindSchemaGetters(root)
  if (options.schemaErrorFormatter) {
    contextOf(root).schemaErrorFormatter = options.schemaErrorFormatter.bind(root)
  }

  boot.expose(root)
  const bootReady = root.ready as unknown as BootReady
  root.ready = createReady(app, bootReady) as Instance['ready']
  boot.once('start', () => {
    app.state.started = true
  })
  boot.once('preReady', () => {
    closeServerOnClose(app, bootReady, lazyServer)
    const { preReady } = app
    try {
      compilers.open()
      for (const step of preReady) step.finish()
    } catch (error) {
      // As on Fastify, `inject` still serves requests after a failed start: none may go unvalidated.
      for (const step of preReady) step.refuse?.(error)
      throw error
    }
    preReady.length = 0
  })
  // The default 404 handler.
  notFound.allowHandler(contextOf(root))
  notFound.setHandler(root)
  markArtifactsUsed()
  announce(root)
  return root
}

/** Defines `server`, which is created on first access, and can be replaced. */
function exposeServer(root: Root, lazyServer: LazyServer): void {
  Object.defineProperty(root, kLazyServer, { value: lazyServer })
  Object.defineProperty(root, 'server', {
    get: () => lazyServer.get(),
    set(this: object, value: unknown) {
      Object.defineProperty(this, 'server', {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    },
    enumerable: true,
    configurable: true,
  })
}
