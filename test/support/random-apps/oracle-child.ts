/** Boots one application after the other on the real Fastify, asks it what the parent wants, and answers over IPC. */
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { ask } from './ask.ts'
import type { Answer, Question } from './ask.ts'
import type { BootedContext, BootedUse } from '../scan-oracle.ts'
import { questionsOf } from './questions.ts'
import { record } from '../scan-recording.ts'

export interface OracleRequest {
  readonly id: number
  readonly entry: string
  /** Whether to ask the routes something, too. */
  readonly asks: boolean
}

export interface OracleAnswer {
  readonly id: number
  /** Why the application does not start. */
  readonly error?: string
  readonly root?: BootedContext
  readonly twins?: readonly { url: string; schema: unknown }[]
  readonly uses?: readonly BootedUse[]
  readonly questions?: readonly Question[]
  readonly answers?: readonly Answer[]
}

let waiting = Promise.resolve()

process.on('message', (request: OracleRequest) => {
  waiting = waiting.then(async () => {
    const answer = await boot(request).catch((error: unknown) => ({ error: String(error) }))
    process.send?.({ id: request.id, ...answer } satisfies OracleAnswer)
  })
})

async function boot({ entry, asks }: OracleRequest): Promise<Omit<OracleAnswer, 'id'>> {
  const recording = record()
  const exported = (await import(pathToFileURL(entry).href)) as {
    default?: () => unknown
    app?: FastifyInstance
  }
  await exported.default?.()
  const app = recording.roots.at(-1) as FastifyInstance
  await app.ready()
  const root = recording.contextOf(app)
  const questions = asks ? questionsOf(root) : []
  const answers = await ask(app, questions)
  await app.close()
  return { root, twins: recording.twinSchemas(), uses: recording.uses, questions, answers }
}
