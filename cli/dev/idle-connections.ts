/**
 * Keeps connections without a request open while the application is replaced. Since Node 26, a closing server
 * ends them together with idle keep-alive connections (nodejs/node#63470), and a request that arrives a
 * moment later gets no answer. Older releases wait for them, but browsers open some that they may never use.
 */
import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes servers of `node:http` keep such connections.
 *
 * @param onRelease called when a server has closed its idle connections and gets no new ones
 * @returns a function that ends the connections that still have no request
 */
export function keepIdleConnections(onRelease: () => void): () => void {
  const { prototype } = Server
  const { closeIdleConnections } = prototype
  const connections = new Set<Socket>()
  const idle = (): Socket[] => [...connections].filter(({ bytesRead }) => bytesRead === 0)
  let isKeeping = true
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { readonly socket: Socket & { readonly server?: unknown } }
    if (!(socket.server instanceof Server)) return
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  prototype.closeIdleConnections = function (): void {
    if (!isKeeping) return closeIdleConnections.call(this)
    const kept = idle()
    // Node's method destroys every idle connection.
    for (const one of kept) one.destroy = () => one
    closeIdleConnections.call(this)
    // Restores the inherited method.
    for (const one of kept) Reflect.deleteProperty(one, 'destroy')
    onRelease()
  }
  return () => {
    isKeeping = false
    for (const one of idle()) one.destroy()
  }
}
