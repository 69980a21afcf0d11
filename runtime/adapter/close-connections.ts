import type { RawServer } from '../serve/model.ts'

/** Closes the connections that the factory option `forceCloseConnections` names: all, none, or those that are idle. */
export function closeConnections(server: RawServer, forceClose: unknown): void {
  const mode = typeof forceClose === 'boolean' ? forceClose : canCloseIdle(server) && 'idle'
  if (mode === 'idle') {
    // For connections that become idle later.
    server.keepAliveTimeout = 1
    server.closeIdleConnections()
  } else if (mode && typeof server.closeAllConnections === 'function') {
    server.closeAllConnections()
  }
}

export function canCloseIdle(server: RawServer): boolean {
  return typeof server.closeIdleConnections === 'function'
}
