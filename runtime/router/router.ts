import { assert } from './assert.ts'
import { Constrainer } from './constraints/constrainer.ts'
import { match, TOO_LONG } from './match.ts'
import { createParams } from './params.ts'
import { parsePath } from './path.ts'
import { prettyPrint } from './pretty-print.ts'
import { parseQuery } from './querystring.ts'
import {
  type Methods,
  assertConstraints,
  assertMethod,
  assertPath,
  createRoute,
  normalizePath,
  splitOptional,
  toMethods,
} from './registration.ts'
import { type Route, type RouteTable, addRoute, createTable, findRoute } from './route-table.ts'
import type {
  ConstraintStrategy,
  Constraints,
  FindResult,
  FindRouteResult,
  PrettyPrintOptions,
  RegisteredRoute,
  RoutableRequest,
  RoutableResponse,
  RouteHandler,
  RouteOptions,
  RouterOptions,
  SearchParams,
} from './types.ts'
import { removeDuplicateSlashes, sanitizeUrl, toOriginForm, trimLastSlash } from './url.ts'

type Meta = Record<string | symbol, unknown>

const noConstraints: Constraints = {}

const SLASH = 47

/** A router with the semantics of find-my-way 7.7, and the part of its interface that applications need. */
export class Router<
  Req extends RoutableRequest = RoutableRequest,
  Res extends RoutableResponse = RoutableResponse,
  Store = unknown,
> {
  /** All routes in the order of registration. */
  routes: RegisteredRoute<Req, Res, Store>[] = []
  defaultRoute: ((this: unknown, req: Req, res: Res) => unknown) | null
  onBadUrl: ((this: unknown, path: string, req: Req, res: Res) => unknown) | null
  onMaxParamLength: ((this: unknown, path: string, req: Req, res: Res) => unknown) | null
  querystringParser: (query: string) => SearchParams
  buildPrettyMeta: (route: RegisteredRoute<Req, Res, Store>) => Meta
  readonly constrainer: Constrainer<Req>
  readonly caseSensitive: boolean
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly maxParamLength: number
  readonly allowUnsafeRegex: boolean
  readonly #isSemicolonInPath: boolean
  readonly #isVersion9: boolean
  readonly #tables = new Map<string, RouteTable<Req, Res, Store>>()

  constructor(options: RouterOptions<Req, Res, Store>) {
    const { defaultRoute, onBadUrl, buildPrettyMeta, querystringParser } = options
    assertFunction(defaultRoute, 'The default route must be a function')
    assertFunction(onBadUrl, 'The bad url handler must be a function')
    assertFunction(buildPrettyMeta, 'buildPrettyMeta must be a function')
    assertFunction(querystringParser, 'querystringParser must be a function')
    this.defaultRoute = defaultRoute || null
    this.onBadUrl = onBadUrl || null
    this.onMaxParamLength = options.onMaxParamLength || null
    this.#isSemicolonInPath = options.isSemicolonInPath === true
    this.#isVersion9 = options.isVersion9 === true
    this.buildPrettyMeta = buildPrettyMeta || storeAsMeta
    this.querystringParser = querystringParser || parseNonEmptyQuery
    this.caseSensitive = options.caseSensitive ?? true
    this.ignoreTrailingSlash = options.ignoreTrailingSlash || false
    this.ignoreDuplicateSlashes = options.ignoreDuplicateSlashes || false
    this.maxParamLength = options.maxParamLength || 100
    this.allowUnsafeRegex = options.allowUnsafeRegex || false
    this.constrainer = new Constrainer(options.constraints)
  }

  /**
   * Registers a route for one or more methods. Throws if an argument is invalid, or if a route with the same method, pattern and
   * constraints exists.
   */
  on(method: Methods, path: string, handler: RouteHandler<Req, Res, Store>, store?: Store): void
  on(
    method: Methods,
    path: string,
    opts: RouteOptions,
    handler: RouteHandler<Req, Res, Store>,
    store?: Store,
  ): void
  on(
    method: Methods,
    path: string,
    opts: RouteOptions | RouteHandler<Req, Res, Store>,
    handler?: RouteHandler<Req, Res, Store> | Store,
    store?: Store,
  ): void {
    if (typeof opts === 'function') {
      const ownStore = handler === undefined ? store : (handler as Store)
      this.#add(method, path, {}, opts, ownStore)
    } else {
      this.#add(method, path, opts, handler as RouteHandler<Req, Res, Store>, store)
    }
  }

  /** Returns whether a route was registered with that path. Parameter names are ignored. */
  hasRoute(method: string, path: string, constraints?: Constraints): boolean {
    return this.findRoute(method, path, constraints) !== null
  }

  /** Returns the route that was registered with that path. Parameter names are ignored. */
  findRoute(
    method: string,
    path: string,
    constraints: Constraints = noConstraints,
  ): FindRouteResult<Req, Res, Store> | null {
    const table = this.#tables.get(method)
    const route = table === undefined ? null : findRoute(table, parsePath(path, this), constraints)
    return route && { handler: route.handler, store: route.store }
  }

  hasConstraintStrategy(name: string): boolean {
    return this.constrainer.has(name)
  }

  /** Throws if another custom strategy has the name, or a route uses it. */
  addConstraintStrategy(strategy: ConstraintStrategy<Req>): void {
    this.constrainer.add(strategy)
    this.replaceRoutes(this.routes)
  }

  /** Registers exactly these routes, which were registered before. */
  replaceRoutes(routes: RegisteredRoute<Req, Res, Store>[]): void {
    this.#tables.clear()
    for (const route of routes as Route<Req, Res, Store>[]) {
      addRoute(this.#tables.get(route.method) ?? this.#createTable(route.method), route)
    }
    this.routes = routes
  }

  /**
   * Calls the handler of the route for a request, or the default route, and returns its result. With `done`, constraint strategies may be
   * asynchronous.
   */
  lookup(
    req: Req,
    res: Res,
    ctx?: unknown,
    done?: (error: unknown, result?: unknown) => void,
  ): unknown {
    if (typeof ctx === 'function') {
      return this.lookup(req, res, undefined, ctx as typeof done)
    }
    if (done === undefined) {
      return this.#call(this.#findFor(req, this.constrainer.derive(req, ctx)), req, res, ctx)
    }
    this.constrainer.deriveAsync(req, ctx, (error, constraints) => {
      if (error !== null) {
        done(error)
        return
      }
      let result
      try {
        result = this.#call(this.#findFor(req, constraints), req, res, ctx)
        done(null, result)
      } catch (thrown) {
        // A falsy value may be thrown too.
        done(thrown || new Error('The router failed without an error'))
      }
    })
    return undefined
  }

  /** Finds the route for a URL. `constraints` are the values of a request. */
  find(method: string, url: string, constraints?: Constraints): FindResult<Req, Res, Store> | null {
    const table = this.#tables.get(method)
    if (table === undefined && !this.#isVersion9) {
      return null
    }
    let path = url.charCodeAt(0) === SLASH ? url : toOriginForm(url)
    if (this.ignoreDuplicateSlashes && !this.#isVersion9) {
      path = removeDuplicateSlashes(path)
    }
    let sanitized
    try {
      sanitized = sanitizeUrl(path, this.#isSemicolonInPath)
    } catch {
      return this.#badUrl(path)
    }
    if (table === undefined) {
      return null
    }
    let original = sanitized.path
    // Version 9 leaves the query and the path of errors as they are.
    if (this.ignoreDuplicateSlashes && this.#isVersion9) original = removeDuplicateSlashes(original)
    if (this.ignoreTrailingSlash) original = trimLastSlash(original)
    const values: (string | undefined)[] = []
    const route = match(
      table.root,
      this.caseSensitive ? original : original.toLowerCase(),
      original,
      sanitized.isEncoded,
      this.maxParamLength,
      constraints,
      this.constrainer,
      values,
      this.#isVersion9,
    )
    if (route === TOO_LONG) {
      return this.#tooLong(original)
    }
    if (route === null) {
      return null
    }
    return {
      handler: route.handler,
      store: route.store || null,
      params: createParams(route.params, values, this.#isVersion9),
      searchParams: this.querystringParser(sanitized.query),
    }
  }

  /** Prints the tree of routes. */
  prettyPrint(options: PrettyPrintOptions = {}): string {
    const routes = this.routes as Route<Req, Res, Store>[]
    const { method } = options
    const shown = method === undefined ? routes : routes.filter((each) => each.method === method)
    return prettyPrint(shown, options, (route) => this.buildPrettyMeta(route))
  }

  #add(
    method: Methods,
    path: string,
    opts: RouteOptions,
    handler: RouteHandler<Req, Res, Store>,
    store: Store | undefined,
  ): void {
    assertPath(path)
    assert(typeof handler === 'function', 'Handler should be a function')
    if (path.includes('?')) {
      const [withParam, without] = splitOptional(path)
      if (without !== undefined) {
        this.#add(method, withParam, opts, handler, store)
        this.#add(method, without, opts, handler, store)
        return
      }
    }
    const normalized = normalizePath(path, this)
    for (const each of toMethods(method)) {
      this.#addOne(each, normalized, opts, handler, store)
    }
  }

  #addOne(
    method: string,
    path: string,
    opts: RouteOptions,
    handler: RouteHandler<Req, Res, Store>,
    store: Store | undefined,
  ): void {
    const table = this.#tables.get(method) ?? this.#createTable(method)
    const { constraints } = opts
    if (constraints !== undefined) {
      assertConstraints(constraints)
      this.constrainer.use(constraints)
    }
    const route = createRoute(method, path, opts, handler, store, this)
    addRoute(table, route)
    this.routes.push(route)
  }

  #createTable(method: string): RouteTable<Req, Res, Store> {
    assertMethod(method)
    const table = createTable<Req, Res, Store>()
    this.#tables.set(method, table)
    return table
  }

  #findFor(req: Req, constraints: Constraints | undefined): FindResult<Req, Res, Store> | null {
    return this.find(req.method as string, req.url as string, constraints)
  }

  #call(found: FindResult<Req, Res, Store> | null, req: Req, res: Res, ctx: unknown): unknown {
    if (found === null) {
      return this.#callDefault(req, res, ctx)
    }
    return ctx === undefined
      ? found.handler(req, res, found.params, found.store, found.searchParams)
      : found.handler.call(ctx, req, res, found.params, found.store, found.searchParams)
  }

  #callDefault(req: Req, res: Res, ctx: unknown): unknown {
    if (this.defaultRoute === null) {
      res.statusCode = 404
      res.end()
      return undefined
    }
    return ctx === undefined ? this.defaultRoute(req, res) : this.defaultRoute.call(ctx, req, res)
  }

  #tooLong(path: string): FindResult<Req, Res, Store> | null {
    const { onMaxParamLength: answer } = this
    return answer && { handler: (req, res) => answer(path, req, res), params: {}, store: null }
  }

  #badUrl(path: string): FindResult<Req, Res, Store> | null {
    const { onBadUrl } = this
    return onBadUrl && { handler: (req, res) => onBadUrl(path, req, res), params: {}, store: null }
  }
}

function assertFunction(option: unknown, message: string): void {
  assert(!option || typeof option === 'function', message)
}

function parseNonEmptyQuery(query: string): SearchParams {
  return query === '' ? {} : parseQuery(query)
}

function storeAsMeta<Req, Res, Store>({ store }: RegisteredRoute<Req, Res, Store>): Meta {
  return store ? { ...(store as Meta) } : {}
}
