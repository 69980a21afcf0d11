/** Runs an application in Vite's Node environment, and passes requests to it. */
import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Connect, RunnableDevEnvironment, ViteDevServer } from 'vite'
import type { BuildResult } from '../../compiler/build.ts'
import { applicationOf, type Application } from '../../runtime/deployed/application.ts'
import { loadFactory } from '../dev/factory.ts'
import type { Builds } from './builds.ts'
import { problemOf } from './problem.ts'

let registrations = 0

/** Preloads an artifact in the place of the one before. */
export async function register({ artifact, options }: BuildResult): Promise<void> {
  if (artifact === undefined) return
  Reflect.deleteProperty(globalThis, 'framework.artifacts')
  const { href } = pathToFileURL(path.join(options.out, 'register.js'))
  // Node runs a module once for each URL.
  registrations += 1
  await import(`${href}?${registrations}`)
}

interface Served {
  /** The exports of the entry that it comes from. */
  readonly exports: object
  readonly app: Promise<Application>
}

/** Creates the handler of the requests that Vite leaves over, and passes it upgrades to the application's WebSockets. */
export function applicationHandler(
  server: ViteDevServer,
  builds: Builds,
): Connect.NextHandleFunction {
  const { root } = server.config
  const { runner } = server.environments['ssr'] as RunnableDevEnvironment
  let served: Served | undefined
  server.httpServer?.on('upgrade', (request, socket, head) => {
    if (isOfVite(request)) return
    upgrade(request, socket, head).catch((error: Error) => {
      server.config.logger.error(error.message, { error })
      socket.destroy()
    })
  })
  return (request, response, next) => {
    if (isPage(request.url)) return next()
    serve(request, response).catch(next)
  }

  /** Vite has found an HTML file for the request. */
  function isPage(url = ''): boolean {
    const [pathname = ''] = url.split('?')
    return pathname.endsWith('.html') && existsSync(path.join(root, pathname))
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { originalUrl } = request as Connect.IncomingMessage
    const app = await currentApplication()
    request.url = originalUrl ?? request.url
    app.routing(request as never, response as never)
  }

  /** Vite's own WebSocket, and those that the option `server.proxy` takes. */
  function isOfVite({ url = '', headers }: IncomingMessage): boolean {
    return (
      headers['sec-websocket-protocol']?.startsWith('vite-') === true ||
      Object.keys(server.config.server.proxy ?? {}).some((context) =>
        context.startsWith('^') ? new RegExp(context).test(url) : url.startsWith(context),
      )
    )
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const app = await currentApplication()
    app.server.emit('upgrade', request, socket, head)
  }

  async function currentApplication(): Promise<Application> {
    const result = await builds.latest
    if (result.artifact === undefined) throw problemOf(result)
    const exports = await runner.import<object>(result.options.entry)
    if (served?.exports !== exports) {
      void close(served)
      served = { exports, app: boot(result, exports) }
    }
    return served.app
  }

  async function close(before: Served | undefined): Promise<void> {
    // One that didn't boot has answered its requests with the reason.
    const [booted] = await Promise.allSettled([before?.app])
    if (booted.status === 'rejected') return
    try {
      await booted.value?.close()
    } catch (error) {
      server.config.logger.error(`The replaced application doesn't close: ${String(error)}`)
    }
  }
}

async function boot({ artifact, options }: BuildResult, exports: object): Promise<Application> {
  const { start } = artifact?.manifest ?? {}
  if (start === undefined || start.kind === 'itself') {
    throw new Error(
      `"${path.relative(options.root, options.entry)}" listens by itself, so Vite can't pass requests to it. Let it export the application or a function that creates it, and call \`listen\` in another file.`,
    )
  }
  const create = await loadFactory(options.factory, options.entry)
  const { app } = await applicationOf(exports, start, create)
  await app.ready()
  return app
}
