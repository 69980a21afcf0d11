/** Starts one application on the runtime, whose artifact is preloaded, and sends it the requests of the parent. */
import { pathToFileURL } from 'node:url'
import { ask } from './ask.ts'
import type { Answer, Question } from './ask.ts'

export interface ServeAnswer {
  /** Why it does not start. */
  readonly error?: string
  readonly answers?: readonly Answer[]
}

const [, , entry = ''] = process.argv

process.once('message', (questions: readonly Question[]) => {
  serve(questions).then(tell, (error: unknown) => tell({ error: String(error) }))
})

async function serve(questions: readonly Question[]): Promise<ServeAnswer> {
  const exported = (await import(pathToFileURL(entry).href)) as {
    default?: () => Promise<object>
    app?: object
  }
  const app = exported.app ?? (await exported.default?.())
  return { answers: await ask(app as object, questions) }
}

function tell(answer: ServeAnswer): void {
  process.send?.(answer, () => process.exit(0))
}
