/** What a name stands for: a function of the same file, something of another module, or what makes code of text. */
export type Target =
  | { readonly type: 'function'; readonly id: number }
  /** `name` is `undefined` for the module as a whole: its exports object, or its default export. */
  | { readonly type: 'import'; readonly specifier: string; readonly name: string | undefined }
  | { readonly type: 'generator'; readonly name: string }

/** Code that is generated. */
export interface Site {
  /** `new Function`, `eval`. */
  readonly what: string
  /** From 1. */
  readonly line: number
  /** Whether it is reached whenever its function runs. */
  readonly isCertain: boolean
}

/** What happens when a function runs. */
export interface FunctionSummary {
  /** What it calls for sure, and what it only mentions or calls on a condition: that may be called. */
  readonly uses: { readonly target: Target; readonly isCertain: boolean }[]
  /** Modules that it loads. */
  readonly loads: { readonly specifier: string; readonly isCertain: boolean }[]
  /** Names of members that it reads, of whatever object. */
  readonly reads: Set<string>
  /** Functions that it puts under a name into some object. */
  readonly puts: { readonly name: string; readonly target: Target }[]
  readonly sites: Site[]
  /** Makes a thread of one of `FileSummary.workers`. */
  makesThread: boolean
}

/** A function that a module marks as a plugin. */
export interface WrappedPlugin {
  readonly target: Target
  /** It is no plugin itself, but returns one. */
  readonly isMaker: boolean
  /** Of versions of Fastify. */
  readonly range: string
}

/** A file as far as it matters which of its functions generate code; the first function is the module itself. */
export interface FileSummary {
  readonly functions: readonly FunctionSummary[]
  /** Specifiers of files that it makes threads of. */
  readonly workers: readonly string[]
  /** It tries whether code can be generated, and copes when it cannot. */
  readonly probes: boolean
  readonly wrapped: readonly WrappedPlugin[]
}

/** The name under which a module puts what it exports as a whole. */
export const WHOLE = '=exports'

export function emptyFunction(): FunctionSummary {
  return { uses: [], loads: [], reads: new Set(), puts: [], sites: [], makesThread: false }
}
