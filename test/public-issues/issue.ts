/** Defects that others reported in public, each with a small application that shows whether it exists. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Reproduction, Target } from '../security/reproduction.ts'

/** One issue, or the pull request that fixed it. */
export interface PublicIssue {
  /** `owner/repository#number`. */
  readonly issue: string
  readonly what: string
  readonly options?: () => object
  /** Declares the application. */
  readonly app?: (app: FastifyInstance) => unknown
  /** The headers of responses that are shown. */
  readonly headers?: readonly string[]
  /** The requests, or other actions with the application. */
  readonly ask: readonly (string | InjectOptions)[] | ((tools: Tools) => unknown)
  /** The correct observation: by the RFC, by JSON Schema, or as on Fastify 5. Without it, that of Fastify 4.21 is kept. */
  readonly right?: readonly string[]
}

interface Tools extends Pick<Target, 'create' | 'note'> {
  readonly app: FastifyInstance
  /** Injects a request and notes the response. */
  ask(request: string | InjectOptions): Promise<void>
  exchange(...lines: readonly string[]): Promise<string>
}

/** The module with all issues, which runs from its source. */
export const issuesFile: string = fileURLToPath(
  new URL('../../../test/public-issues/cases/index.mjs', import.meta.url),
)

const loaded = (await import(pathToFileURL(issuesFile).href)) as { issues: PublicIssue[] }
export const issues: readonly PublicIssue[] = loaded.issues

/** The issues in the form in which a process runs them. */
export const reproductions: readonly Pick<Reproduction, 'attack'>[] = issues.map(
  ({ options, app: declare, headers = [], ask }) => ({
    async attack({ create, note, exchange }) {
      const app = create(options?.())
      await declare?.(app)
      const send = async (request: string | InjectOptions): Promise<void> => {
        const { statusCode, headers: all, body } = await app.inject(request)
        const shown = headers.map((name) => `${name}: ${String(all[name])}`)
        note([statusCode, ...shown, body].join(' | ').replace(/ \| $/, ''))
      }
      const tools = { app, note, create, ask: send, exchange: exchange.bind(undefined, app) }
      if (typeof ask === 'function') await ask(tools)
      else for (const request of ask) await send(request)
    },
  }),
)
