/** The requests of the parity grid, as plain data. */

export interface ParityRequest {
  /** Unique among the requests of an application; says what is special about this one. */
  readonly title: string
  readonly method: string
  /** The request target as sent on the wire, not encoded any further. */
  readonly target: string
  /** In order; names as written; a name may occur twice. `host` and `request-id` are added. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
  /** How the body is delimited; by default `length` when there is a body, else `none`. */
  readonly framing?: 'length' | 'chunked' | 'none'
  /** Requests of one conversation are sent one after the other, in the order of the list. */
  readonly conversation?: string
  /**
   * Values to take from the answer's head and body for the rest of the conversation: by name, where the first group
   * of the pattern matches. `{{name}}` is replaced by it in targets, header values and textual bodies, `{{via}}` for the
   * transport: the same conversation may be had over several.
   */
  readonly take?: Readonly<Record<string, RegExp>>
  readonly varies?: readonly Variation[]
  /** Milliseconds to wait before it is sent. */
  readonly wait?: number
}

/**
 * A text in an answer that differs from run to run by its nature. For the comparison each distinct value becomes
 * `<name 1>`, `<name 2>`, … in order of appearance, so that what is equal stays equal. It must be there.
 */
export interface Variation {
  readonly name: string
  /** Why it cannot be the same. */
  readonly reason: string
  /** Headers by name in lower case, and `body`; for raw bytes all that came back is `body`. */
  readonly in: readonly string[]
  /** Matches the text alone; global. */
  readonly pattern: RegExp
}

/** Exact bytes to write on a connection of their own; what comes back is compared as it is. */
export interface RawRequest {
  readonly title: string
  /** Latin-1. */
  readonly raw: string
  /** Bytes to write after that, each once the given text (latin-1) has come back since the last writing. */
  readonly then?: readonly RawStep[]
  /** True if the connection stays open until the application closes; the steps may go on then. */
  readonly lasts?: boolean
  readonly varies?: readonly Variation[]
}

export interface RawStep {
  readonly after: string
  readonly raw: string
}

/** A valid request to one route, from which many others are made. */
export interface RouteSample {
  readonly method: string
  /** The path with its parameters in braces: `/books/{isbn}`. */
  readonly path: string
  readonly params?: Readonly<Record<string, string>>
  /** Values as sent on the wire. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** More values worth trying, by place: `params.isbn`, `query.page`, `headers.x-shelf`, `body.lines.0.quantity`. */
  readonly boundaries?: Readonly<Record<string, readonly unknown[]>>
}

/** The exports of `fixtures/apps/<app>/requests.ts`. */
export interface AppRequests {
  /**
   * How samples are varied: everything that a request can be, or only the values of their parts. One
   * application with everything is enough for what is the same in all. By default everything.
   */
  readonly breadth?: 'everything' | 'parts'
  readonly samples: readonly RouteSample[]
  readonly requests: readonly ParityRequest[]
  readonly raw: readonly RawRequest[]
}
