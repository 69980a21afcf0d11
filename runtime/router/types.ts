/** The part of a request that routing reads; `node:http` and `node:http2` requests have it. */
export interface RoutableRequest {
  method?: string | undefined
  url?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The part of a response that the built-in 404 writes to. */
export interface RoutableResponse {
  statusCode: number
  end(): unknown
}

/** Parameter values by name; `undefined` only where a regular expression left a group out. */
export type Params = Record<string, string | undefined>

/** What the query string parser made of the text after `?`. */
export type SearchParams = unknown

/** Called by `lookup` with the request, what was matched in its URL, and the route's store. */
export type RouteHandler<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> = (
  this: unknown,
  req: Req,
  res: Res,
  params: Params,
  store: Store | null,
  searchParams: SearchParams,
) => unknown

/** Constraint values by strategy name: wanted ones on a route, derived ones of a request. */
export type Constraints = Readonly<Record<string, unknown>>

/** Keeps, for one leaf of the tree, which routes want which value of one constraint. */
export interface ConstraintStorage {
  /** What was stored for `value`; anything falsy means nothing. */
  get(value: unknown): unknown
  /** `routes` is an opaque number that `get` has to give back. */
  set(value: unknown, routes: number): void
}

/** Passes on one derived value; an `error` other than `null` ends the look-up. */
export type DeriveDone = (error: unknown, value?: unknown) => void

/** How one kind of constraint is read from a request and compared; find-my-way's shape. */
export interface ConstraintStrategy<Req = RoutableRequest> {
  name: string
  /** A request that has a value for this constraint may only go to routes that ask for one. */
  mustMatchWhenDerived?: boolean | undefined
  storage: () => ConstraintStorage
  /** Declared with three parameters it is asynchronous and must call `done`. */
  deriveConstraint: (req: Req, ctx?: unknown, done?: DeriveDone) => unknown
  /** Throws when a route asks for an impossible value. */
  validate?: ((value: unknown) => void) | undefined
}

/** Options of one `on` call. */
export interface RouteOptions {
  constraints?: Constraints | undefined
}

/** A registered route, as listed in `router.routes`. */
export interface RegisteredRoute<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  readonly method: string
  readonly path: string
  /** The path without parameter names: two routes with the same one answer the same requests. */
  readonly pattern: string
  readonly opts: RouteOptions
  readonly handler: RouteHandler<Req, Res, Store>
  readonly store: Store | undefined
}

/** What `find` gives for a URL. */
export interface FindResult<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  readonly handler: RouteHandler<Req, Res, Store>
  readonly store: Store | null
  readonly params: Params
  readonly searchParams?: SearchParams
}

/** What `findRoute` gives for a route path. */
export interface FindRouteResult<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  readonly handler: RouteHandler<Req, Res, Store>
  readonly store: Store | undefined
}

/** `prettyPrint` options. */
export interface PrettyPrintOptions {
  /** Prints the tree of one method instead of all of them merged. */
  method?: string | undefined
  /** `false` leaves out nodes that only hold what their children have in common. */
  commonPrefix?: boolean | undefined
  /** Prints what `buildPrettyMeta` gives: all of it, or only these keys. */
  includeMeta?: boolean | readonly (string | symbol)[] | undefined
}

/** Options of `createRouter`, with find-my-way 7.7's names, meanings and defaults. */
export interface RouterOptions<Req = RoutableRequest, Res = RoutableResponse, Store = unknown> {
  ignoreTrailingSlash?: boolean | undefined
  ignoreDuplicateSlashes?: boolean | undefined
  allowUnsafeRegex?: boolean | undefined
  caseSensitive?: boolean | undefined
  /** Longest accepted parameter value in characters, 100 by default; longer means not found. */
  maxParamLength?: number | undefined
  defaultRoute?: ((this: unknown, req: Req, res: Res) => unknown) | undefined
  onBadUrl?: ((this: unknown, path: string, req: Req, res: Res) => unknown) | undefined
  querystringParser?: ((query: string) => SearchParams) | undefined
  buildPrettyMeta?:
    | ((route: RegisteredRoute<Req, Res, Store>) => Record<string | symbol, unknown>)
    | undefined
  constraints?: Readonly<Record<string, ConstraintStrategy<Req>>> | undefined
}
