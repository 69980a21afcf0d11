import { assert } from './assert.ts'
import { Constrainer } from './constraints/constrainer.ts'
import { match, TOO_LONG } from './match.ts'
import { isHttpMethod } from './methods.ts'
import { assertPath, normalizePath, type ParsedPath, parsePath, splitOptional } from './path.ts'
import { prettyPrint } from './pretty-print.ts'
import { parseQuery } from './querystring.ts'
import { RouteTable } from './route-table.ts'
import type {
  ConstraintStrategy,
  Constraints,
  FindResult,
  Params,
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
type Route<Req, Res, Store> = RegisteredRoute<Req, Res, Store> & ParsedPath

/** Answers a URL that is malformed, or has a parameter that is too long. */
type AnswerPath<Req, Res> = (this: unknown, path: string, req: Req, res: Res) => unknown

const noConstraints: Constraints = {}

const SLASH = 47

/** Objects that inherit nothing. V8 keeps those of `Object.create(null)` in a slower form. */
const Bare = function () {} as unknown as new () => Params
Bare.prototype = Object.freeze(Object.create(null))

/** A router with the semantics of find-my-way 7.7 or 9, and the part of its interface that applications need. */
export class Router<
  Req extends RoutableRequest = RoutableRequest,
  Res extends RoutableResponse = RoutableResponse,
  Store = unknown,
> {
  /** All routes in the order of registration. */
  routes: RegisteredRoute<Req, Res, Store>[] = []
  defaultRoute: ((this: unknown, req: Req, res: Res) => unknown) | null
  onBadUrl: AnswerPath<Req, Res> | null
  onMaxParamLength: AnswerPath<Req, Res> | null
  querystringParser: (query: string) => SearchParams
  buildPrettyMeta: (route: RegisteredRoute<Req, Res, Store>) => Meta
  readonly constrainer: Constrainer<Req>
  readonly caseSensitive: boolean
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly maxParamLength: number
  readonly allowUnsafeRegex: boolean
  readonly isVersion9: boolean
  readonly #isSemicolonInPath: boolean
  readonly #tables = new Map<string, RouteTable<Route<Req, Res, Store>>>()

  constructor(options: RouterOptions<Req, Res, Store> = {}) {
    const { defaultRoute, onBadUrl, buildPrettyMeta, querystringParser } = options
    assertFunction(defaultRoute, 'The default route must be a function')
    assertFunction(onBadUrl, 'The bad url handler must be a function')
    assertFunction(buildPrettyMeta, 'buildPrettyMeta must be a function')
    assertFunction(querystringParser, 'querystringParser must be a function')
    this.defaultRoute = defaultRoute || null
    this.onBadUrl = onBadUrl || null
    this.onMaxParamLength = options.onMaxParamLength || null
    this.#isSemicolonInPath = options.isSemicolonInPath === true
    this.isVersion9 = options.isVersion9 === true
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
  on(
    method: string | readonly string[],
    path: string,
    opts: RouteOptions,
    handler: RouteHandler<Req, Res, Store>,
    store?: Store,
  ): void {
    assertPath(path)
    assert(typeof handler === 'function', 'Handler should be a function')
    const methods = (Array.isArray(method) ? method : [method]) as readonly string[]
    const paths = path.includes('?') ? splitOptional(path) : [path]
    for (const each of paths) {
      const normalized = normalizePath(each, this)
      for (const one of methods) this.#add(one, normalized, opts, handler, store)
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
  ): Pick<RegisteredRoute<Req, Res, Store>, 'handler' | 'store'> | null {
    const route = this.#tables.get(method)?.find(parsePath(path, this), constraints)
    return route === undefined ? null : { handler: route.handler, store: route.store }
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
    for (const route of routes as Route<Req, Res, Store>[]) this.#tableOf(route.method).add(route)
    this.routes = routes
  }

  /**
   * Calls the handler of the route for a request, or the default route. Returns its result, or passes it to `done`: then constraint
   * strategies may be asynchronous.
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
    if (table === undefined && !this.isVersion9) {
      return null
    }
    let path = url
    if (url.charCodeAt(0) !== SLASH) {
      const origin = toOriginForm(url, this.isVersion9)
      if (origin === null) return routeThatAnswers(this.onBadUrl, url)
      path = origin
    }
    if (this.ignoreDuplicateSlashes && !this.isVersion9) {
      path = removeDuplicateSlashes(path)
    }
    let sanitized
    try {
      sanitized = sanitizeUrl(path, this.#isSemicolonInPath)
    } catch {
      return routeThatAnswers(this.onBadUrl, path)
    }
    if (table === undefined) {
      return null
    }
    let original = sanitized.path
    // Version 9 leaves the query and the path of errors as they are.
    if (this.ignoreDuplicateSlashes && this.isVersion9) original = removeDuplicateSlashes(original)
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
      this.isVersion9,
    )
    if (route === TOO_LONG) return routeThatAnswers(this.onMaxParamLength, original)
    if (route === null) return null
    const params: Params = this.isVersion9 ? new Bare() : {}
    // In `{}`, assigning a string to `__proto__` does nothing, as with find-my-way.
    const names = route.params
    for (let i = 0; i < names.length; i++) params[names[i] as string] = values[i]
    return {
      handler: route.handler,
      store: route.store || null,
      params,
      searchParams: this.querystringParser(sanitized.query),
    }
  }

  /** Formats the tree of routes. */
  prettyPrint(options: PrettyPrintOptions = {}): string {
    const routes = this.routes as Route<Req, Res, Store>[]
    const { method } = options
    const shown = method === undefined ? routes : routes.filter((each) => each.method === method)
    return prettyPrint(shown, options, this.isVersion9, (route) => this.buildPrettyMeta(route))
  }

  #add(
    method: string,
    path: string,
    opts: RouteOptions,
    handler: RouteHandler<Req, Res, Store>,
    store: Store | undefined,
  ): void {
    const table = this.#tableOf(method)
    const { constraints } = opts
    if (constraints !== undefined) {
      assert(
        typeof constraints === 'object' && constraints !== null,
        'Constraints should be an object',
      )
      this.constrainer.use(constraints)
    }
    const route = { method, path, opts, handler, store, ...parsePath(path, this) }
    table.add(route)
    this.routes.push(route)
  }

  #tableOf(method: string): RouteTable<Route<Req, Res, Store>> {
    let table = this.#tables.get(method)
    if (table === undefined) {
      assert(typeof method === 'string', 'Method should be a string')
      assert(isHttpMethod(method), `Method '${method}' is not an http method.`)
      this.#tables.set(method, (table = new RouteTable()))
    }
    return table
  }

  #findFor(req: Req, constraints: Constraints | undefined): FindResult<Req, Res, Store> | null {
    return this.find(req.method as string, req.url as string, constraints)
  }

  #call(found: FindResult<Req, Res, Store> | null, req: Req, res: Res, ctx: unknown): unknown {
    if (found !== null) {
      const { params, store, searchParams } = found
      return found.handler.call(ctx ?? found, req, res, params, store, searchParams)
    }
    if (this.defaultRoute !== null) return this.defaultRoute.call(ctx ?? this, req, res)
    res.statusCode = 404
    res.end()
    return undefined
  }
}

/** Returns a route whose handler calls `answer`. */
function routeThatAnswers<Req, Res, Store>(
  answer: AnswerPath<Req, Res> | null,
  path: string,
): FindResult<Req, Res, Store> | null {
  return answer && { handler: (req, res) => answer(path, req, res), params: {}, store: null }
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
