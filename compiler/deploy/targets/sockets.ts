/** Packages that take over the connection of a request, by their names. */
const takers: ReadonlySet<string> = new Set([
  '@fastify/websocket',
  'fastify-socket.io',
  'fastify-websocket',
  'socket.io',
])

/** Whether a package does nothing where requests come without connections. */
export function takesConnections(name: string): boolean {
  return takers.has(name)
}
