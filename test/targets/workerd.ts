/** The real workerd with what `framework deploy --target workerd` wrote, alone in a folder. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App, Engine, RunningApp } from '../support/engines.ts'
import { deploymentOf, Lanes } from '../support/engines.ts'
import type { JournalEntry } from '../support/hosted.ts'
import { serveConfig } from '../support/workerd.ts'

/** The header that asks for the application's journal instead of an answer. */
const JOURNAL = 'x-parity-journal'

/** What an application needs to be told, and to find in the folder that it runs in. */
const needs: Readonly<
  Record<string, { readonly more: readonly string[]; readonly files?: string }>
> = {
  // Keys and random numbers are made for requests alone.
  plugins: { more: ['--late-boot'], files: 'public' },
}

export const deployedWorkerd: Engine = { name: 'deployed-workerd', flags: () => [], start }

async function start(app: App): Promise<RunningApp> {
  const { more = [], files } = needs[app.name] ?? {}
  const folder = await deploymentOf(app, 'workerd', more)
  const { port, stop } = await serveConfig(folder, addProbe(folder, app, files))
  const lanes = new Lanes(port)
  const journal = async (): Promise<JournalEntry[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { [JOURNAL]: 'yes' } })
    return (await answer.json()) as JournalEntry[]
  }
  return {
    send: (request, id, lane) => lanes.send(request, id, lane),
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
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

/** A configuration beside the deployment's own: of its modules and one in front, with code generation refused at start too. */
function addProbe(folder: string, { source }: App, files?: string): string {
  writeFileSync(
    join(folder, 'probe.mjs'),
    `import './probe-first.mjs'
import worker from './index.js'
export * from './index.js'
export default {
  ...worker,
  fetch(request, ...more) {
    return request.headers.has('${JOURNAL}')
      ? Response.json(globalThis.probed?.journal ?? [])
      : worker.fetch(request, ...more)
  },
}
`,
  )
  writeFileSync(
    join(folder, 'probe-first.mjs'),
    `import { subscribe } from 'node:diagnostics_channel'
subscribe('fastify.initialization', ({ fastify }) => { globalThis.probed ??= fastify })
`,
  )
  const modules = ['probe.mjs', 'probe-first.mjs'].map(
    (name) => `(name = "${name}", esModule = embed "${name}"),`,
  )
  if (files !== undefined) {
    const from = join(source, '..', files)
    cpSync(from, join(folder, files), { recursive: true })
    for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      const name = JSON.stringify(`${files}/${file}`)
      if (statSync(join(from, file)).isFile())
        modules.push(`(name = ${name}, data = embed ${name}),`)
    }
  }
  const config = readFileSync(join(folder, 'config.capnp'), 'utf8')
    .replace('modules = [', `modules = [${modules.join('')}`)
    .replace('compatibilityFlags = [', '$&"disallow_eval_during_startup", ')
  writeFileSync(join(folder, 'probe.capnp'), config)
  return 'probe.capnp'
}
