/**
 * Who has connected when the application is exchanged, and not asked yet. Since Node 26 a server that closes ends these connections
 * with those that wait between two requests (nodejs/node#63470), and what comes a moment later gets no answer. Before, it waits for
 * them, and browsers open some that they may never use.
 */
import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Has servers of `node:http` keep such connections.
 *
 * @param onRelease called when a server has closed those that wait, and gets no more
 * @returns what ends them, wherever they still have not asked
 */
export function keepNewcomers(onRelease: () => void): () => void {
  const { prototype } = Server
  const { closeIdleConnections } = prototype
  const connections = new Set<Socket>()
  const newcomers = (): Socket[] => [...connections].filter(({ bytesRead }) => bytesRead === 0)
  let isKeeping = true
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { readonly socket: Socket & { readonly server?: unknown } }
    if (!(socket.server instanceof Server)) return
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  prototype.closeIdleConnections = function (): void {
    if (!isKeeping) return closeIdleConnections.call(this)
    const kept = newcomers()
    for (const one of kept) one.destroy = () => one
    closeIdleConnections.call(this)
    // The method that is inherited.
    for (const one of kept) Reflect.deleteProperty(one, 'destroy')
    onRelease()
  }
  return () => {
    isKeeping = false
    for (const one of newcomers()) one.destroy()
  }
}
