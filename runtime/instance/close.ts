import { contextOf } from '../context/index.ts'
import { canCloseIdle, closeConnections } from '../adapter/close-connections.ts'
import type { LazyServer } from '../adapter/lazy-server.ts'
import type { Application } from '../context/application.ts'
import { errorCodes } from '../errors/index.ts'
import { nextTick } from '../platform/index.ts'
import { runApplicationHooks, type BootReady } from './ready.ts'

/** @throws FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE if the server can't close only idle connections */
export function assertForceClose(given: unknown, server: LazyServer): void {
  if (given === 'idle' && !canCloseIdle(server.get())) {
    throw new errorCodes.FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE()
  }
}

/** Makes `close` refuse new requests, run the `preClose` hooks, and then close the server. */
export function closeServerOnClose(
  app: Application,
  bootReady: BootReady,
  lazyServer: LazyServer,
): void {
  const { root, state, options } = app
  root.onClose((instance, done) => {
    state.closing = true
    runApplicationHooks('preClose', bootReady, contextOf(root), () => {
      if ((options.serverFactory && !state.listening) || lazyServer.peek() === undefined) {
        nextTick(done, null)
        return
      }
      const { server } = instance
      if (state.listening) closeConnections(server, options.forceCloseConnections)
      // Close servers that don't listen as well: otherwise Node keeps them in memory.
      server.close(() => done())
    })
  })
}
