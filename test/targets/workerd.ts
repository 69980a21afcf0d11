/** Engines for the parity tests: the output of `framework deploy --target workerd`, alone in a folder, in workerd and in `wrangler dev`. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { temporaryFolder, thisProcess, writeAll } from '../support/folders.ts'
import { join } from 'node:path'
import { deploy } from '../../compiler/deploy/index.ts'
import {
  type App,
  type Engine,
  type RunningApp,
  deploymentOf,
  overSockets,
} from '../support/engines.ts'
import type { JournalEntry } from '../support/app-process.ts'
import { serveConfig } from '../support/workerd.ts'
import { startWrangler } from '../support/wrangler.ts'

/** The header of requests for the application's journal. */
const JOURNAL = 'x-parity-journal'

/** Options and files that an application needs. */
const needs: Readonly<
  Record<string, { readonly more: readonly string[]; readonly files?: string }>
> = {
  // Its plugins need keys and random numbers, which workerd allows only during a request: boot at the first one.
  plugins: { more: ['--late-boot'], files: 'public' },
}

/** Starts a deployment. */
type Serve = (folder: string) => Promise<{ readonly port: number; stop(): Promise<unknown> }>

export const deployedWorkerd: Engine = engineOf('workerd', (folder) =>
  serveConfig(folder, 'probe.capnp'),
)

/** With functions and schemas in modules of their own, as applications of many routes have them. */
export const deployedModules: Engine = engineOf(
  'modules',
  (folder) => serveConfig(folder, 'probe.capnp'),
  async ({ source, name }) => {
    const folder = temporaryFolder(thisProcess)
    const out = join(folder, 'application')
    const options = { entry: source, out, with: ['light-my-request'], filesFrom: 0 }
    const { deployment } = await deploy({ ...options, target: 'workerd' })
    if (deployment === undefined) throw new Error(`${name} was not deployed`)
    return out
  },
)

/** By Cloudflare's tool for development, which has a Worker of its own in front of ours. */
export const deployedWrangler: Engine = engineOf('wrangler', (folder) =>
  startWrangler(folder, ['dev', '--config', 'probe.jsonc']),
)

function engineOf(
  name: string,
  serve: Serve,
  deployed = (app: App): Promise<string> => deploymentOf(app, 'workerd', needs[app.name]?.more),
): Engine {
  const startDeployed = async (app: App): Promise<RunningApp> =>
    start(app, await deployed(app), serve)
  return { name: `deployed-${name}`, flags: () => [], start: startDeployed }
}

async function start(app: App, folder: string, serve: Serve): Promise<RunningApp> {
  addProbe(folder, app, needs[app.name]?.files)
  const { port, stop } = await serve(folder)
  const journal = async (): Promise<JournalEntry[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { [JOURNAL]: 'yes' } })
    return (await answer.json()) as JournalEntry[]
  }
  return overSockets(port, {
    journal,
    close: async () => {
      const entries = await journal()
      await stop()
      return entries
    },
  })
}

/**
 * Adds a module that serves the journal in front of the deployment, and configurations for workerd and wrangler that start it. The one
 * for workerd also refuses code generation during the start.
 */
function addProbe(folder: string, { source }: App, files?: string): void {
  writeAll(folder, {
    'probe.mjs': `import './probe-first.mjs'
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
    'probe-first.mjs': `import { subscribe } from 'node:diagnostics_channel'
subscribe('fastify.initialization', ({ fastify }) => { globalThis.probed ??= fastify })
`,
  })
  const modules = ['probe.mjs', 'probe-first.mjs'].map(
    (name) => `(name = "${name}", esModule = embed "${name}"),`,
  )
  // The nearest package.json is this repository's, so `deploy` doesn't copy the files to where the application looks for them. Relative
  // paths start at the root of the bundle, others at the working directory of the application in it.
  for (const to of files === undefined ? [] : [files, `files/${files}`]) {
    const from = join(source, '..', files ?? '')
    cpSync(from, join(folder, to), { recursive: true })
    for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      const name = JSON.stringify(`${to}/${file}`)
      if (statSync(join(from, file)).isFile())
        modules.push(`(name = ${name}, data = embed ${name}),`)
    }
  }
  const config = readFileSync(join(folder, 'config.capnp'), 'utf8')
    .replace('modules = [', `modules = [${modules.join('')}`)
    .replace('compatibilityFlags = [', '$&"disallow_eval_during_startup", ')
  writeFileSync(join(folder, 'probe.capnp'), config)
  const settings = readFileSync(join(folder, 'wrangler.jsonc'), 'utf8')
    .replace('"main": "index.js"', '"main": "probe.mjs"')
    .replace('"*.js"', '"*.js", "*.mjs"')
  writeFileSync(join(folder, 'probe.jsonc'), settings)
}
