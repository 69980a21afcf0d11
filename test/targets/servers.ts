/** Starts deployments in the runtimes that they are for. Engines for the parity tests in Deno and Bun. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type App,
  type Engine,
  type RunningApp,
  deploymentOf,
  overSockets,
} from '../support/engines.ts'
import type { JournalEntry } from '../support/app-process.ts'
import { startFolder, startServer } from '../support/start-server.ts'
import { serveConfig } from '../support/workerd.ts'
import { bunBinary, denoBinary } from './installed.ts'

export interface Served {
  readonly port: number
  output(): string
  stop(): Promise<unknown>
}

/** Serves a deployment as its users do, by target. */
export const serve: Readonly<Record<string, (folder: string) => Promise<Served>>> = {
  node: (folder) => startFolder(folder, folder),
  workerd: (folder) => serveConfig(folder, 'config.capnp'),
  deno: (folder) => startServer(denoBinary(), ['run', '-A', 'index.js'], { cwd: folder }),
  bun: (folder) => startServer(bunBinary(), ['index.js'], { cwd: folder }),
}

/** Runs in front of the deployment: serves the application's journal, and closes it. An application that listens by itself gets a free port. */
const PROBE = `import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'

let app
// Bun forgets a channel without references.
const initialization = (globalThis.initialization = channel('fastify.initialization'))
initialization.subscribe(({ fastify }) => {
  app ??= fastify
  const { listen } = fastify
  fastify.listen = async () => {
    const address = await listen.call(fastify, { port: 0, host: '127.0.0.1' })
    console.log(\`Listening at \${address}\`)
    return address
  }
})
const server = createServer(async (request, response) => {
  if (request.url === '/close') await app.close()
  response.end(JSON.stringify(app.journal ?? []))
})
server.listen(0, '127.0.0.1', () => {
  console.log(\`Probe at \${server.address().port}.\`)
  import('./index.js')
})
`

/** Deno refuses code generation, unless a package of the application needs it. Bun has no such option. */
export const deployedDeno: Engine = engineOf('deno', denoBinary, ({ generatesCode }) => [
  'run',
  '--allow-all',
  '--quiet',
  ...(generatesCode ? [] : ['--v8-flags=--disallow-code-generation-from-strings']),
])

export const deployedBun: Engine = engineOf('bun', bunBinary, () => [])

function engineOf(
  target: string,
  binary: () => string,
  argsFor: (app: App) => readonly string[],
): Engine {
  return {
    name: `deployed-${target}`,
    flags: () => [],
    start: async (app) => startProbed(await deploymentOf(app, target), binary(), argsFor(app), app),
  }
}

async function startProbed(
  folder: string,
  binary: string,
  args: readonly string[],
  app: App,
): Promise<RunningApp> {
  writeFileSync(join(folder, 'probe.mjs'), PROBE)
  const program = [...args, join(folder, 'probe.mjs')]
  const running = await startServer(binary, program, {
    cwd: join(app.source, '..'),
    pattern: /Listening at http:\/\/127\.0\.0\.1:(\d+)\n/,
  })
  const [, probe] = /Probe at (\d+)\./.exec(running.output()) ?? []
  const ask = async (path: string): Promise<JournalEntry[]> =>
    (await (await fetch(`http://127.0.0.1:${probe}${path}`)).json()) as JournalEntry[]
  return overSockets(running.port, {
    journal: () => ask('/'),
    close: async () => {
      const entries = await ask('/close')
      await running.stop()
      return entries
    },
  })
}
