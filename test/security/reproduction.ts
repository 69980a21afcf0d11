import type { FastifyInstance, InjectOptions } from 'fastify'

/** The tools of an attack, the same on either framework. */
export interface Target {
  /** A new application without options, created when this is read. */
  readonly app: FastifyInstance
  /** A new application, which is closed when the attack is over. */
  create(options?: object): FastifyInstance
  note(line: unknown): void
  /** Injects a request, and notes the status and the body. */
  ask(app: FastifyInstance, request: string | InjectOptions): Promise<void>
  /** Lets the application listen unless it does, writes the lines on a connection, and returns everything received until it is closed. */
  exchange(app: FastifyInstance, ...lines: readonly string[]): Promise<string>
}

/** A known vulnerability and an attack that shows whether it exists. `docs/reference/security.md` lists them. */
export interface Reproduction {
  /** The advisory, or the release that fixed it. */
  readonly advisory: string
  /** The vulnerability, in a unique phrase. */
  readonly what: string
  /** The row of the page, if several reproductions share one. */
  readonly row?: string
  /** Runs in a process that may end or hang, which is noted as well. */
  readonly attack: (target: Target) => unknown
  /** The observation on ours, which differs from Fastify's where 4.21.0 is vulnerable. */
  readonly framework: readonly string[] | 'same'
}

/** The observation if the attack keeps its process busy. */
export const HANGS = 'no answer within 3 seconds'

/** The observation if an uncaught error ends the process. */
export function ends(error: string): string {
  return `the process ends: ${error}`
}
