/** The requests of the parity grid, as plain data. */

/** One request to send to every engine. */
export interface ParityRequest {
  /** Unique among the requests of an application; says what is special about this one. */
  readonly title: string
  readonly method: string
  /** The request target as it stands on the wire, not encoded any further. */
  readonly target: string
  /** In order; names as written; a name may stand twice. `host` and `request-id` are added. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** How the body is delimited; by default `length` when there is a body, else `none`. */
  readonly framing?: 'length' | 'chunked' | 'none'
}

/** Exact bytes to write on a connection of their own; what comes back is compared as it is. */
export interface RawRequest {
  readonly title: string
  /** Latin-1. */
  readonly raw: string
}

/** A valid request to one route, from which many others are made. */
export interface RouteSample {
  readonly method: string
  /** The path with its parameters in braces: `/books/{isbn}`. */
  readonly path: string
  readonly params?: Readonly<Record<string, string>>
  /** Values as they stand on the wire. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** More values worth trying, by place: `params.isbn`, `query.page`, `headers.x-shelf`, `body.lines.0.quantity`. */
  readonly boundaries?: Readonly<Record<string, readonly unknown[]>>
}

/** What `fixtures/apps/<app>/requests.ts` exports. */
export interface AppRequests {
  readonly samples: readonly RouteSample[]
  readonly requests: readonly ParityRequest[]
  readonly raw: readonly RawRequest[]
}
