import type { Application } from './application.ts'
import { errorCodes } from './errors.ts'
import type { RawServer } from './model.ts'
import { runApplicationHooks, type BootReady } from './ready.ts'
import { kContext } from './symbols.ts'

/** The factory option `forceCloseConnections`: what `close` does with connections that are kept alive. */
export type ForceClose = boolean | 'idle'

/** @throws FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE when the server cannot tell idle ones */
export function toForceClose(given: unknown, server: RawServer): ForceClose {
  const knowsIdle = typeof server.closeIdleConnections === 'function'
  if (given === 'idle' && !knowsIdle) {
    throw new errorCodes.FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE()
  }
  if (typeof given === 'boolean') return given
  return knowsIdle ? 'idle' : false
}

/** Makes `close` refuse new requests, run the `preClose` hooks and then close the server. */
export function closeServerOnClose(
  app: Application,
  bootReady: BootReady,
  forceClose: ForceClose,
): void {
  const { root, state, options } = app
  root.onClose((instance, done) => {
    state.closing = true
    runApplicationHooks('preClose', bootReady, root[kContext], () => {
      const { server } = instance
      if (state.listening) closeConnections(server, forceClose)
      if (options.serverFactory && !state.listening) {
        process.nextTick(done, null)
        return
      }
      // Also when it does not listen: Node would keep it in memory otherwise.
      server.close((error) => {
        const { code } = (error ?? {}) as { code?: string }
        if (error && code !== 'ERR_SERVER_NOT_RUNNING') done(null)
        else done()
      })
    })
  })
}

function closeConnections(server: RawServer, forceClose: ForceClose): void {
  if (forceClose === 'idle') server.closeIdleConnections()
  else if (forceClose && typeof server.closeAllConnections === 'function') {
    server.closeAllConnections()
  }
}
