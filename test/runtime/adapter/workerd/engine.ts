/** Our runtime in the real workerd, with what `framework build` wrote for it. */
import { join } from 'node:path'
import { bundleWorker } from '../../../support/bundle-worker.ts'
import {
  type App,
  artifactOf,
  type Engine,
  Lanes,
  type RunningApp,
} from '../../../support/engines.ts'
import type { JournalEntry } from '../../../support/app-process.ts'
import { serveWorker } from '../../../support/workerd.ts'

/** The header that asks for the application's journal instead of an answer. */
const JOURNAL = 'x-parity-journal'

export const workerd: Engine = {
  name: 'workerd',
  flags: () => [],
  start: startInWorkerd,
}

async function startInWorkerd(app: App): Promise<RunningApp> {
  const artifact = join(await artifactOf(app), 'worker.mjs')
  const { port, stop } = await serveWorker(await bundle(app, artifact))
  const lanes = new Lanes(port)
  const journal = async (): Promise<JournalEntry[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { [JOURNAL]: 'yes' } })
    return (await answer.json()) as JournalEntry[]
  }
  return {
    send: (request, id, lane) => lanes.send(request, id, lane),
    inject: () => Promise.reject(new Error('Nothing is injected into workerd')),
    sendRaw: (request) => lanes.sendRaw(request),
    journal,
    close: async () => {
      const entries = await journal()
      lanes.close()
      await stop()
      return entries
    },
  }
}

/** Not when a plugin waits for anything but promises: workerd allows that in a request alone. */
function bootsAtStart({ name }: App): boolean {
  return name !== 'plugins'
}

/** The application as it is, in a Worker that gives it its artifact. */
function bundle(app: App, artifact: string): Promise<string> {
  const source = `
import { toFetch } from 'framework/fetch'
import build from ${JSON.stringify(app.file)}

const app = build()
${bootsAtStart(app) ? 'await app.ready()' : ''}
const answer = toFetch(app, { clientAddress: (request) => request.cf.clientIp.replace(/:\\d+$/, '') })
export default {
  fetch(request, env, context) {
    if (request.headers.has('${JOURNAL}')) return Response.json(app.journal ?? [])
    return answer(request, env, context)
  },
}
`
  const factory = `
import artifact from ${JSON.stringify(artifact)}
import framework from './runtime/dist/index.js'
export default (options) => framework({ ...options, aot: { artifact } })
`
  return bundleWorker(source, { instead: { framework: factory } })
}
