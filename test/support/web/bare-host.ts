/** Runs a deployment for the web in a context with the globals of pages and without Node's. */
import { readFileSync } from 'node:fs'
import { createContext, SourceTextModule } from 'node:vm'
import { serveParent, type HostedInstance } from '../app-process.ts'
import { ask, type PlainRequest } from './ask.ts'

interface Deployed {
  fetch(request: Request): Promise<Response>
  ready(): Promise<HostedInstance>
}

/** The globals of pages and service workers. */
const names =
  'AbortController AbortSignal Event EventTarget Headers ReadableStream Request Response TextDecoder TextEncoder TransformStream URL URLSearchParams atob btoa clearTimeout console crypto performance queueMicrotask setTimeout structuredClone'.split(
    ' ',
  )
const sandbox = createContext(
  Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name) as unknown])),
  { codeGeneration: { strings: false, wasm: false } },
)

const file = process.argv[2] as string
const program = new SourceTextModule(readFileSync(file, 'utf8'), {
  context: sandbox,
  identifier: file,
  initializeImportMeta: (meta) => void (meta.url = 'http://shop.test/index.js'),
})
await program.link((specifier) => {
  throw new Error(`It imports ${specifier}`)
})
await program.evaluate()
const { default: deployed } = program.namespace as { default: Deployed }
const app = await deployed.ready()
app.inject = async (request) => {
  const { status, body, ...answer } = await ask(deployed.fetch, request as PlainRequest)
  return { ...answer, statusCode: status, rawPayload: Buffer.from(body, 'latin1') }
}
serveParent(app, null)
process.on('disconnect', () => process.exit())
