import { nodeModule } from '../platform/index.ts'
import type { RawServer } from '../serve/model.ts'
import { isNodes } from './head.ts'
import type { ListenSettings } from './listen-arguments.ts'

/** What `listen` of Node's servers ends in. It has had this name since Node 0.x, so that code may wrap it. */
interface Internals {
  readonly _handle: unknown
  _listen2(
    address: string,
    port: number,
    addressType: 4,
    backlog: unknown,
    fd: undefined,
    flags: 0,
  ): void
}

/** Settings that need none of what Node does before. */
const known: ReadonlySet<string> = new Set(['port', 'host', 'backlog', 'listenTextResolver'])

/**
 * Has a server listen, as `server.listen(settings, onListening)` does.
 *
 * Node looks each host up, asks of what it has found whether it is of this link alone, and whether the process is of a cluster: it
 * loads `node:dns` and `node:cluster` for that, and compiles an expression for all that an address of IPv6 may be. An address of IPv4
 * is what it is, and without all that a start takes some four milliseconds less.
 */
export function startListening(
  server: RawServer,
  settings: ListenSettings,
  onListening: () => void,
): void {
  const { host, port, backlog } = settings
  const internals = server as unknown as Internals
  if (!isPlain(settings) || !isIPv4(host) || !isNodesServer(server, internals)) {
    server.listen(settings, onListening)
    return
  }
  server.once('listening', onListening)
  internals._listen2(host, port as number, 4, backlog, undefined, 0)
}

function isPlain(settings: ListenSettings): boolean {
  const { port } = settings
  if (!Number.isInteger(port) || (port as number) < 0 || (port as number) > 65_535) return false
  for (const name in settings) {
    if (settings[name] !== undefined && !known.has(name)) return false
  }
  return true
}

/** As Node takes it for one: all else, such as `127.1`, is a name. */
function isIPv4(host: unknown): host is string {
  if (typeof host !== 'string') return false
  const parts = host.split('.')
  return parts.length === 4 && parts.every((part) => part === String(Number(part) & 255))
}

/** Whether nobody is in the way, or wants to hear of it: another host of JavaScript, a cluster, a permission, a tool that watches. */
function isNodesServer(server: RawServer, { _handle, _listen2 }: Internals): boolean {
  const { versions, send, permission } = process as NodeJS.Process & { permission?: object }
  return (
    !('deno' in versions || 'bun' in versions) &&
    send === undefined &&
    permission === undefined &&
    !_handle &&
    isNodes(server.listen, 'lookupAndListen(') &&
    isNodes(_listen2, 'createServerHandle(') &&
    !nodeModule('node:diagnostics_channel').hasSubscribers('tracing:net.server.listen:asyncStart')
  )
}
