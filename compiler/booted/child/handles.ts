import { Server } from 'node:net'

/** What keeps a process alive, in words; what is not listed belongs to Node or is over by itself. */
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

/** No server of the application listens, whoever made it. */
export function keepServersFromListening(): void {
  Server.prototype.listen = function (this: Server) {
    servers++
    return this
  } as typeof Server.prototype.listen
}

/** What the application has open, by name. */
export function openHandles(): Record<string, number> {
  const counts: Record<string, number> = servers > 0 ? { 'listening server': servers } : {}
  for (const resource of process.getActiveResourcesInfo()) {
    const word = words[resource]
    if (word !== undefined) counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
