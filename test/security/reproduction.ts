import type { FastifyInstance, InjectOptions } from 'fastify'

/** What an attack has to work with; the same on either framework. */
export interface Target {
  /** A new application, which is closed when the attack is over. */
  create(options?: object): FastifyInstance
  /** Adds a line to what is seen of the attack. */
  note(line: string): void
  /** Asks by `inject` and notes the status and the body. */
  ask(app: FastifyInstance, request: string | InjectOptions): Promise<void>
  /** Lets the application listen, writes the lines on a connection and gives all that comes until it is closed. */
  exchange(app: FastifyInstance, ...lines: readonly string[]): Promise<string>
}

/** A known vulnerability and an attack that shows whether it exists. `docs/security.md` lists them. */
export interface Reproduction {
  /** The advisory, or the release that fixed it. */
  readonly advisory: string
  /** The vulnerability, in a unique phrase. */
  readonly what: string
  /** The row of the page, if several reproductions share one. */
  readonly row?: string
  /** Runs in a process that may end or hang: that is noted, too. */
  readonly attack: (target: Target) => unknown
  /** What is seen on Fastify 4.21.0. */
  readonly fastify: readonly string[]
  /** What is seen on ours: something else where 4.21.0 has the hole. */
  readonly framework: readonly string[] | 'same'
}

/** What is seen when the attack keeps its process busy. */
export const HANGS = 'no answer within 3 seconds'

/** What is seen when an uncaught error ends the process. */
export function ends(error: string): string {
  return `the process ends: ${error}`
}
