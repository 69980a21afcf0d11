/** Engine of deployments for Lambda: a gateway, the runtime API, and the function's process, which polls it. */
import { fork } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  type App,
  deploymentOf,
  type Engine,
  Host,
  overSockets,
  type RunningApp,
} from '../engines.ts'
import { type Gateway, toEvent } from './gateway.ts'
import { RuntimeApi } from './runtime-api.ts'

const client = fileURLToPath(new URL('client.js', import.meta.url))

/** Number of concurrent events, as in the parity grid. Lambda can run several in one process. */
const CONCURRENCY = 5

export const lambdaEngine = (gateway: Gateway, handler: 'handler' | 'streaming'): Engine => ({
  name: `lambda-${gateway}-${handler}`,
  flags: () => [],
  start: (app) => start(app, gateway, handler),
})

async function start(app: App, gateway: Gateway, handler: string): Promise<RunningApp> {
  const folder = await deploymentOf(app, 'lambda')
  const api = new RuntimeApi()
  const polled = await serve((request, response) => api.handle(request, response))
  const child = fork(client, [`index.${handler}`, String(CONCURRENCY)], {
    // Applications read files relative to it.
    cwd: dirname(app.source),
    execArgv: app.generatesCode ? [] : ['--disallow-code-generation-from-strings'],
    env: {
      ...process.env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${portOf(polled)}`,
      LAMBDA_TASK_ROOT: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const host = new Host(child, `${app.name} in Lambda`)
  await host.port
  const server = await serve((request, response) => {
    const { method = '', url = '', rawHeaders } = request
    const headers = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] as string] as const] : [],
    )
    const invoke = (body: Buffer): void =>
      api.invoke({ event: toEvent(gateway, { method, target: url, headers, body }), response })
    buffer(request).then(invoke, () => response.destroy())
  })
  return overSockets(portOf(server), {
    journal: () => host.journal(),
    close: async () => {
      server.close()
      const journal = await host.close()
      child.kill()
      polled.close()
      polled.closeAllConnections()
      return journal
    },
  })
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
