/** The fields of a request that the router reads. */
export interface RoutableRequest {
  method?: string | undefined
  url?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The fields of a response that the default 404 answer uses. */
export interface RoutableResponse {
  statusCode: number
  end(): unknown
}

/** Parameter values by name. `undefined` if a group of a regular expression didn't take part in the match. */
export type Params = Record<string, string | undefined>

/** The result of the query string parser. */
export type SearchParams = unknown

/** Called by `lookup` for the route of a request. */
export type RouteHandler<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> = (
  this: unknown,
  req: Req,
  res: Res,
  params: Params,
  store: Store | null,
  searchParams: SearchParams,
) => unknown

/** Constraint values by strategy name, of a route or of a request. */
export type Constraints = Readonly<Record<string, unknown>>

/** Stores which routes of a path have which value of a constraint. */
export interface ConstraintStorage {
  /** Returns the number that was stored for `value`, or a falsy value. */
  get(value: unknown): unknown
  /** Stores an opaque number for `get`. */
  set(value: unknown, routes: number): void
}

/** Passes on a value. An error ends the look-up. */
export type DeriveDone = (error: unknown, value?: unknown) => void

/** Reads and compares one kind of constraint. The interface is find-my-way's. */
export interface ConstraintStrategy<Req = RoutableRequest> {
  name: string
  /** A request with a value for this constraint only matches routes with this constraint. */
  mustMatchWhenDerived?: boolean | undefined
  storage: () => ConstraintStorage
  /** With three parameters it's asynchronous and must call `done`. */
  deriveConstraint: (req: Req, ctx?: unknown, done?: DeriveDone) => unknown
  /** Throws if the value of a route is invalid. */
  validate?: ((value: unknown) => void) | undefined
}

/** The options of `router.on`. */
export interface RouteOptions {
  constraints?: Constraints | undefined
}

/** A registered route, as listed in `router.routes`. */
export interface RegisteredRoute<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  readonly method: string
  readonly path: string
  /** The path without parameter names. Two routes of a method with the same one differ in their constraints. */
  readonly pattern: string
  readonly opts: RouteOptions
  readonly handler: RouteHandler<Req, Res, Store>
  readonly store: Store | undefined
}

/** The result of `find`. */
export interface FindResult<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  readonly handler: RouteHandler<Req, Res, Store>
  readonly store: Store | null
  readonly params: Params
  readonly searchParams?: SearchParams
}

/** The options of `prettyPrint`. */
export interface PrettyPrintOptions {
  /** Prints the routes of one method instead of all. */
  method?: string | undefined
  /** `false` omits nodes that are only common prefixes of their children. */
  commonPrefix?: boolean | undefined
  /** Prints the result of `buildPrettyMeta`: all of it, or only these keys. */
  includeMeta?: boolean | readonly (string | symbol)[] | undefined
}

/** The options of `Router`: those of find-my-way 7.7, and some by which it behaves like find-my-way 9. */
export interface RouterOptions<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  ignoreTrailingSlash?: boolean | undefined
  ignoreDuplicateSlashes?: boolean | undefined
  allowUnsafeRegex?: boolean | undefined
  caseSensitive?: boolean | undefined
  /** The maximum length of a parameter value. Longer ones aren't found. Default 100. */
  maxParamLength?: number | undefined
  /** Answers requests with a longer value. By default they have no route. */
  onMaxParamLength?: ((this: unknown, path: string, req: Req, res: Res) => unknown) | undefined
  /** True if `;` doesn't begin the query string. */
  isSemicolonInPath?: boolean | undefined
  /** Follows find-my-way 9: parameters have no prototype, and bad URLs are errors even for methods without routes. */
  isVersion9?: boolean | undefined
  defaultRoute?: ((this: unknown, req: Req, res: Res) => unknown) | undefined
  onBadUrl?: ((this: unknown, path: string, req: Req, res: Res) => unknown) | undefined
  querystringParser?: ((query: string) => SearchParams) | undefined
  buildPrettyMeta?:
    | ((route: RegisteredRoute<Req, Res, Store>) => Record<string | symbol, unknown>)
    | undefined
  constraints?: Readonly<Record<string, ConstraintStrategy<Req>>> | undefined
}
