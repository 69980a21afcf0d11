/** Other runtimes than Node with what `framework deploy` wrote for them, alone in a folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App, Engine, RunningApp } from '../support/engines.ts'
import { deploymentOf, Lanes } from '../support/engines.ts'
import type { JournalEntry } from '../support/hosted.ts'
import { bunBinary, denoBinary } from './installed.ts'

/** A program that runs. */
export interface Running {
  readonly port: number
  stop(): Promise<number | null>
}

/** Runs in front of the deployment: tells what the application has noted, and closes it; what listens by itself gets a free port. */
const PROBE = `import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'

let app
// Bun forgets a channel that nobody keeps.
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

/** Code generation is refused where a runtime can, and where no package of the application needs it. */
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
  const running = await startProgram(binary, program, join(app.source, '..'))
  const lanes = new Lanes(running.port)
  const ask = async (path: string): Promise<JournalEntry[]> =>
    (await (await fetch(`http://127.0.0.1:${running.probe}${path}`)).json()) as JournalEntry[]
  return {
    send: (request, id, lane) => lanes.send(request, id, lane),
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
    sendRaw: (request) => lanes.sendRaw(request),
    journal: () => ask('/'),
    close: async () => {
      lanes.close()
      const entries = await ask('/close')
      await running.stop()
      return entries
    },
  }
}

/** Starts a program that says where it listens; rejects with its words when it ends. */
export async function startProgram(
  binary: string,
  args: readonly string[],
  cwd: string,
): Promise<Running & { readonly probe: number }> {
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' }
  const child = spawn(binary, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        const [, found] = /Listening at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(output) ?? []
        if (found !== undefined) resolve(Number(found))
      })
    }
    child.once('exit', (code) => reject(new Error(`exited with ${code}\n${output}`)))
  })
  const [, probe] = /Probe at (\d+)\./.exec(output) ?? []
  child.once('exit', (code) => {
    if (code !== 0) process.stderr.write(`${binary} exited with ${code}\n${output}`)
  })
  return {
    port,
    probe: Number(probe),
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      process.removeListener('exit', kill)
      return code
    },
  }
}
