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

/** Handles of the application's servers, which are told that they listen. */
const servers = new Set<object>()
const waiting: (() => void)[] = []

export function isServing(): boolean {
  return servers.size > 0
}

/** Resolves when the application lets a server listen that isn't one of its instances. */
export async function whenServing(): Promise<void> {
  if (!isServing()) await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Emits `listening` for all servers of the application without opening a port, so that code which looks for a free port continues. */
export function keepServersFromListening(): void {
  Server.prototype.listen = function (this: Server & { _handle?: object }, ...args: unknown[]) {
    const done = args.at(-1)
    if (typeof done === 'function') this.once('listening', done as () => void)
    this._handle = fakeHandle(args[0])
    servers.add(this._handle)
    for (const resolve of waiting.splice(0)) resolve()
    process.nextTick(() => this.emit('listening'))
    return this
  } as typeof Server.prototype.listen
}

/** Returns the part of Node's own handle that the methods of a server use. */
function fakeHandle(given: unknown): object {
  const { port } = (typeof given === 'object' && given !== null ? given : { port: given }) as {
    readonly port?: unknown
  }
  const ignore = (): void => undefined
  return {
    close(): void {
      servers.delete(this)
    },
    ref: ignore,
    unref: ignore,
    getsockname: (out: object): void =>
      void Object.assign(out, { address: '127.0.0.1', family: 'IPv4', port: Number(port) || 1 }),
  }
}

/** Counts open handles by description. */
export function openHandles(): Record<string, number> {
  const counts: Record<string, number> = isServing() ? { 'listening server': servers.size } : {}
  for (const resource of process.getActiveResourcesInfo()) {
    const word = words[resource]
    if (word !== undefined) counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
