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
   * Values to take from the answer's head and body for the rest of the conversation: by name, the pattern whose first group matches
   * the value. It replaces `{{name}}` in targets, header values and bodies. `{{via}}` is the transport, so that each can have the same
   * conversation.
   */
  readonly take?: Readonly<Record<string, RegExp>>
  readonly varies?: readonly Variation[]
  /** Milliseconds to wait before it is sent. */
  readonly wait?: number
}

/**
 * A text in an answer that differs from run to run. For the comparison each distinct value becomes `<name 1>`, `<name 2>`, … in order
 * of appearance, so that equal values stay equal. The text is required.
 */
export interface Variation {
  readonly name: string
  /** Why it cannot be the same. */
  readonly reason: string
  /** Names of headers in lower case, and `body`. For raw requests, `body` is everything received. */
  readonly in: readonly string[]
  /** Matches the text alone; global. */
  readonly pattern: RegExp
}

/** Exact bytes to write on a new connection. The bytes received are compared. */
export interface RawRequest {
  readonly title: string
  /** Latin-1. */
  readonly raw: string
  /** Further bytes, each written when the text before it (latin-1) was received since the previous write. */
  readonly then?: readonly RawStep[]
  /** True if the connection stays open until the application closes, and steps may follow then. */
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
   * How samples are varied: in everything, or only in the values of their parts, because one application is enough for what all share.
   * By default everything.
   */
  readonly breadth?: 'everything' | 'parts'
  readonly samples: readonly RouteSample[]
  readonly requests: readonly ParityRequest[]
  readonly raw: readonly RawRequest[]
}
