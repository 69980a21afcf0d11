/** Runs the deployment for the web in the folder that it is given, in a world that has what pages have and nothing of Node. */
import { readFileSync } from 'node:fs'
import { createContext, SourceTextModule } from 'node:vm'
import type { JournalEntry } from '../app-process.ts'
import { ask, type PlainRequest } from './ask.ts'

interface Deployed {
  fetch(request: Request): Promise<Response>
  ready(): Promise<{ readonly journal?: JournalEntry[]; close(): Promise<void> }>
}

export type BareRequest =
  | { readonly id: number; readonly kind: 'ask'; readonly request: PlainRequest }
  | { readonly id: number; readonly kind: 'journal' | 'close' }

/** The globals of pages and service workers. */
const names =
  'AbortController AbortSignal Event EventTarget Headers ReadableStream Request Response TextDecoder TextEncoder TransformStream URL URLSearchParams atob btoa clearTimeout console crypto performance queueMicrotask setTimeout structuredClone'.split(
    ' ',
  )
const world = createContext(
  Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name) as unknown])),
  { codeGeneration: { strings: false, wasm: false } },
)

const file = process.argv[2] as string
const program = new SourceTextModule(readFileSync(file, 'utf8'), {
  context: world,
  identifier: file,
  initializeImportMeta: (meta) => void (meta.url = 'http://shop.test/index.js'),
})
await program.link((specifier) => {
  throw new Error(`It imports ${specifier}`)
})
await program.evaluate()
const { default: deployed } = program.namespace as { default: Deployed }
process.on('message', (message: BareRequest) => {
  answer(message).then(
    (value) => process.send?.({ id: message.id, value }),
    (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
await deployed.ready()
process.send?.({ id: 0 })

async function answer(message: BareRequest): Promise<unknown> {
  if (message.kind === 'ask') return ask(deployed.fetch, message.request)
  const app = await deployed.ready()
  if (message.kind === 'close') await app.close()
  return app.journal ?? []
}
