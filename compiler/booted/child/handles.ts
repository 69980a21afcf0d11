import { Server } from 'node:net'

/** Descriptions of handles that keep a process alive. Most others belong to Node or end by themselves. */
const words: Readonly<Record<string, string>> = {
  ChildProcess: 'child process',
  FSEventWrap: 'file watcher',
  ProcessWrap: 'child process',
  StatWatcher: 'file watcher',
  TCPServerWrap: 'server',
  TCPSocketWrap: 'TCP socket',
  TLSWrap: 'TLS socket',
  Timeout: 'timer',
  UDPWrap: 'UDP socket',
  Worker: 'worker thread',
}

let servers = 0
let resolveFirstServer: () => void = () => undefined

/** Resolves when the application first lets a server listen that isn't one of its instances. */
export const firstServer: Promise<void> = new Promise((resolve) => (resolveFirstServer = resolve))

/** Prevents all servers of the application from listening. */
export function keepServersFromListening(): void {
  Server.prototype.listen = function (this: Server) {
    servers++
    resolveFirstServer()
    return this
  } as typeof Server.prototype.listen
}

/** Counts open handles by description. */
export function openHandles(): Record<string, number> {
  const counts: Record<string, number> = servers > 0 ? { 'listening server': servers } : {}
  for (const resource of process.getActiveResourcesInfo()) {
    const word = words[resource]
    if (word !== undefined) counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
