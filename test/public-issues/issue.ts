/** Defects that others reported in public, each with a small application that shows whether it exists. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'

/** One issue, or the pull request that fixed it. */
export interface PublicIssue {
  /** `owner/repository#number`. */
  readonly issue: string
  readonly what: string
  /** Options of the factory. */
  readonly options?: () => object
  /** Declares the application. */
  readonly app?: (app: FastifyInstance) => unknown
  /** The headers of responses that are shown. */
  readonly headers?: readonly string[]
  /** The requests, or what else to do with the application. */
  readonly ask: readonly (string | InjectOptions)[] | ((tools: Tools) => unknown)
  /** The correct observation: by the RFC, by JSON Schema, or as on Fastify 5. Without it, that of Fastify 4.21 is kept. */
  readonly right?: readonly string[]
}

export interface Tools {
  readonly app: FastifyInstance
  /** Adds a line to the observation. */
  note(line: unknown): void
  /** Injects a request and notes the response. */
  ask(request: string | InjectOptions): Promise<void>
  /** Writes bytes to a connection, and resolves with everything that arrives until it is closed. */
  exchange(...lines: readonly string[]): Promise<string>
  /** Another application on the same framework. */
  create(options?: object): FastifyInstance
}

/** The module with all issues, which runs from its source. */
export const issuesFile: string = fileURLToPath(
  new URL('../../../test/public-issues/cases/index.mjs', import.meta.url),
)

export async function loadIssues(): Promise<readonly PublicIssue[]> {
  const { issues } = (await import(pathToFileURL(issuesFile).href)) as { issues: PublicIssue[] }
  return issues
}
