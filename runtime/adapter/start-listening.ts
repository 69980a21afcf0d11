import { nextTick, nodeModule } from '../platform/index.ts'
import type { RawServer } from '../serve/model.ts'
import { isNodes } from './head.ts'
import type { ListenSettings } from './listen-arguments.ts'

/** What `listen` of Node's servers ends in: `_listen2`, which keeps that name for code that wraps it, says Node's lib/net.js. */
interface Internals {
  readonly _handle: unknown
  /** Another one with each `listen` and `close`: those before count no more. */
  _listeningId: number
  _listen2(
    address: string,
    port: number,
    addressType: 4 | 6,
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
 * loads `node:dns` and `node:cluster` for that, and compiles an expression for all that an address of IPv6 may be. Most addresses
 * that are listened at are what they are, and without all that a start takes some four milliseconds less.
 */
export function startListening(
  server: RawServer,
  settings: ListenSettings,
  onListening: () => void,
): void {
  const { host, port, backlog } = settings
  const internals = server as unknown as Internals
  const family = familyOf(host)
  if (family === undefined || !isPlain(settings) || !isNodesServer(server, internals)) {
    server.listen(settings, onListening)
    return
  }
  server.once('listening', onListening)
  const id = ++internals._listeningId
  // Node too looks an address up by the next tick, and there may be a `close` or another `listen` until then.
  nextTick(() => {
    if (internals._listeningId !== id) return
    internals._listen2(host as string, port as number, family, backlog, undefined, 0)
  })
}

function isPlain(settings: ListenSettings): boolean {
  const { port } = settings
  if (!Number.isInteger(port) || (port as number) < 0 || (port as number) > 65_535) return false
  for (const name in settings) {
    if (settings[name] !== undefined && !known.has(name)) return false
  }
  return true
}

/** Of an address as Node takes it for one: all else, such as `127.1`, is a name. Of those of IPv6, the two that all machines have. */
function familyOf(host: unknown): 4 | 6 | undefined {
  if (host === '::' || host === '::1') return 6
  const parts = typeof host === 'string' ? host.split('.') : []
  const isIPv4 = parts.length === 4 && parts.every((part) => part === String(Number(part) & 255))
  return isIPv4 ? 4 : undefined
}

/** What Node would load, and others may have changed where it is there: in a worker of a cluster it is. */
const asked = ['NativeModule dns', 'NativeModule cluster']

/** Whether nobody is in the way, or wants to hear of it: another host of JavaScript, a cluster, a permission, a tool that watches. */
function isNodesServer(server: RawServer, internals: Internals): boolean {
  const { versions, permission, moduleLoadList } = process as NodeJS.Process & {
    readonly permission?: object
    readonly moduleLoadList?: readonly string[]
  }
  return (
    !('deno' in versions || 'bun' in versions) &&
    permission === undefined &&
    moduleLoadList !== undefined &&
    !asked.some((name) => moduleLoadList.includes(name)) &&
    isNodes(server.listen, 'lookupAndListen(') &&
    isNodes(internals._listen2, 'createServerHandle(') &&
    typeof internals._listeningId === 'number' &&
    !internals._handle &&
    !nodeModule('node:diagnostics_channel').hasSubscribers('tracing:net.server.listen:asyncStart')
  )
}
