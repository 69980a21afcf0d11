import type { RawServer } from '../serve/model.ts'

/** Applies the factory option `forceCloseConnections` to keep-alive connections. */
export function closeConnections(server: RawServer, forceClose: unknown): void {
  const how = typeof forceClose === 'boolean' ? forceClose : knowsIdle(server) && 'idle'
  if (how === 'idle') {
    // For connections that become idle later.
    server.keepAliveTimeout = 1
    server.closeIdleConnections()
  } else if (how && typeof server.closeAllConnections === 'function') {
    server.closeAllConnections()
  }
}

export function knowsIdle(server: RawServer): boolean {
  return typeof server.closeIdleConnections === 'function'
}
