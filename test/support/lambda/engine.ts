/** Our runtime in Lambda, as seen by a function: a gateway, the runtime API, and a process that polls it. */
import { fork } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type App, deploymentOf, type Engine, Host, askedAt, type RunningApp } from '../engines.ts'
import { type Gateway, toEvent, toGatewayAnswer, toHead } from './gateway.ts'
import { createRuntimeApi, type RuntimeApi } from './runtime-api.ts'

const client = fileURLToPath(new URL('client.js', import.meta.url))

/** As many as the grid has under way: Lambda can run several in one process. */
const AT_ONCE = 5

export const lambdaEngine = (gateway: Gateway, handler: 'handler' | 'streaming'): Engine => ({
  name: `lambda-${gateway}-${handler}`,
  flags: () => [],
  start: (app) => start(app, gateway, handler),
})

async function start(app: App, gateway: Gateway, handler: string): Promise<RunningApp> {
  const folder = await deploymentOf(app, 'lambda')
  const api = await createRuntimeApi()
  const child = fork(client, [`index.${handler}`, String(AT_ONCE)], {
    // Where an application finds files that are not modules.
    cwd: dirname(app.source),
    execArgv: app.generatesCode ? [] : ['--disallow-code-generation-from-strings'],
    env: { ...process.env, AWS_LAMBDA_RUNTIME_API: api.address, LAMBDA_TASK_ROOT: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const host = new Host(child, `${app.name} in Lambda`)
  await host.port
  const server = createServer((request, response) => {
    forward(api, gateway, request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return askedAt((server.address() as AddressInfo).port, {
    journal: () => host.journal(),
    close: async () => {
      server.close()
      const journal = await host.close()
      child.kill()
      api.close()
      return journal
    },
  })
}

async function forward(
  api: RuntimeApi,
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] as string] as const] : [],
  )
  const body = await buffer(request)
  const head = ({ status, headers }: ReturnType<typeof toHead>): void => {
    response.writeHead(status, headers.flat())
  }
  api.invoke({
    event: toEvent(gateway, { method, target: url, headers, body }),
    onAnswer(answer) {
      const given = toGatewayAnswer(answer)
      head(given)
      response.end(given.body)
    },
    onStream(given, chunks) {
      head(toHead(given))
      void (async () => {
        for await (const chunk of chunks) response.write(chunk)
        response.end()
      })()
    },
    onError() {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end('{"message": "Internal server error"}')
    },
  })
}
