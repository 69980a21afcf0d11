import type * as Http from 'node:http'
import { nodeModule } from '../platform/index.ts'
import { isNodes } from './head.ts'

/** Shorter times are kept to the millisecond, by Node. */
const SHORTEST_WAIT = 5_000

const SECOND = 1_000

/** The longest that a timer of Node's may be, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1

type SetTimeout = (this: Socket, ms: number, callback?: () => void) => Socket

/** What Node keeps of a connection, and calls. */
export interface Socket {
  readonly destroyed: boolean
  readonly bytesRead: number
  readonly bytesWritten: number
  /** Milliseconds; 0 for no limit. */
  timeout?: number
  readonly _events: { readonly close?: unknown }
  /** The response that is at its turn. */
  _httpMessage: object | null
  setTimeout: SetTimeout
  emit(event: 'timeout'): void
  /** Undefined until the first response. */
  [kConnection]?: Connection
}

/** What Node calls of a response. */
interface Response extends Turns {
  socket: unknown
  emit(event: 'socket', socket: Socket): void
  _flush(): void
}

/** The methods that Node calls when its turn comes, and when it is over. */
interface Turns {
  assignSocket(this: Response, socket: Socket): void
  detachSocket(this: Response, socket: Socket): void
}

const kConnection: unique symbol = Symbol('framework.connection')

/** What a connection keeps from one response to the next. */
interface Connection {
  readonly setTimeout: SetTimeout
  /** A response has just left it: the timeout that is set next is for the wait until the next request. */
  isLeft: boolean
  /** Node keeps its timeout. */
  isTimed: boolean
  /** How long it may wait for its next request, in milliseconds; 0 while it does not wait. */
  wait: number
  /** For how many seconds it was seen waiting. */
  age: number
  /** Bytes in both directions when it was last seen waiting. */
  bytes: number
}

/**
 * What a response does when its turn on a connection comes, and when it is over: less than Node does.
 *
 * Node adds a listener to the connection for each response, and removes it; here it stays. Node sets a timer for the wait until the
 * next request, and clears it when that comes, and moves it with all that is read or written between; here one timer looks at
 * all connections each second. So a connection may wait for up to a second longer, if it is to wait for whole seconds.
 *
 * @returns nothing to put in the place of Node's methods, where these are others than are known here
 */
export function ownTurns(http: typeof Http): Partial<Turns> {
  const prototype = http.ServerResponse.prototype as unknown as Response
  const { assignSocket, detachSocket } = prototype
  if (
    !isNodes(assignSocket, "socket.on('close', onServerResponseClose)") ||
    !isNodes(detachSocket, "socket.removeListener('close', onServerResponseClose)")
  )
    return {}
  /** Node's listener, the same for all responses, which the first of them has added. */
  let onResponseClose: unknown
  return {
    assignSocket(socket) {
      const connection = socket[kConnection]
      if (connection !== undefined) connection.isLeft = false
      if (connection === undefined || socket._httpMessage || !isHeard(socket, onResponseClose)) {
        if (connection === undefined) open(socket)
        assignSocket.call(this, socket)
        onResponseClose ??= [socket._events.close].flat().at(-1)
        return
      }
      socket._httpMessage = this
      this.socket = socket
      this.emit('socket', socket)
      this._flush()
    },

    detachSocket(socket) {
      const connection = socket[kConnection]
      if (connection === undefined || socket._httpMessage !== this) {
        detachSocket.call(this, socket)
        return
      }
      connection.isLeft = true
      socket._httpMessage = null
      this.socket = null
    },
  }
}

/** An application may have taken away all listeners, and added some of its own. */
function isHeard({ _events: { close } }: Socket, listener: unknown): boolean {
  return close === listener || (Array.isArray(close) && close.includes(listener))
}

function open(socket: Socket): void {
  const { bytesRead, bytesWritten, setTimeout, timeout } = socket
  // A socket of the application's own may be like Node's in what a response needs alone.
  if (typeof setTimeout !== 'function') return
  if (typeof bytesRead !== 'number' || typeof bytesWritten !== 'number') return
  socket[kConnection] = {
    setTimeout,
    isLeft: false,
    isTimed: timeout !== undefined && timeout > 0,
    wait: 0,
    age: 0,
    bytes: 0,
  }
  socket.setTimeout = setWait
  watch(socket)
}

/** `setTimeout` of a connection: whatever is no wait for the next request is Node's. */
function setWait(this: Socket, ms: number, callback?: () => void): Socket {
  const connection = this[kConnection] as Connection
  const isWait = connection.isLeft && isWholeSeconds(ms) && ms >= SHORTEST_WAIT
  connection.isLeft = false
  if (callback !== undefined || connection.isTimed || (ms !== 0 && !isWait)) {
    connection.wait = 0
    connection.isTimed = ms !== 0
    return connection.setTimeout.call(this, ms, callback)
  }
  if (this.destroyed) return this
  this.timeout = ms
  connection.wait = ms
  connection.age = 0
  return this
}

/** Other waits would be rounded up, and what Node refuses is Node's to refuse. */
function isWholeSeconds(ms: number): boolean {
  return Number.isInteger(ms) && ms % SECOND === 0 && ms <= LONGEST_WAIT
}

const watched = new Set<Socket>()
let stop: (() => void) | undefined

function watch(socket: Socket): void {
  watched.add(socket)
  stop ??= start()
}

/** With Node's timers: the global ones may be those of a test. */
function start(): () => void {
  const { clearInterval, setInterval } = nodeModule('node:timers')
  const timer = setInterval(lookAtAll, SECOND).unref()
  return () => clearInterval(timer)
}

function lookAtAll(): void {
  for (const socket of watched) {
    if (socket.destroyed) watched.delete(socket)
    else lookAt(socket, socket[kConnection] as Connection)
  }
  if (watched.size > 0) return
  stop?.()
  stop = undefined
}

function lookAt(socket: Socket, connection: Connection): void {
  if (connection.wait === 0) return
  const bytes = socket.bytesRead + socket.bytesWritten
  // A part of a request has come: the wait begins anew.
  if (connection.age > 0 && connection.bytes !== bytes) connection.age = 0
  connection.bytes = bytes
  // The first second was not a whole one.
  if (connection.age * SECOND < connection.wait) {
    connection.age++
    return
  }
  connection.wait = 0
  socket.emit('timeout')
}
