/**
 * Requests that become streams when code first uses them as streams. Until then, they emit no events: the connection passes the body to
 * its reader, and the end only sets flags.
 */
import type * as Http from 'node:http'
import { type Incoming, kIncoming, nodeIncoming } from '../../serve/exchange.ts'
import { isUnpatched } from './head.ts'

/** Internal fields of a stream. */
interface State {
  readonly length: number
  readonly decoder: unknown
  flowing: boolean | null
  dataEmitted: boolean
  ended: boolean
  endEmitted: boolean
  destroyed: boolean
  closed: boolean
  closeEmitted: boolean
}

/** Internal fields and methods of a request. */
interface Internals extends Http.IncomingMessage {
  readonly _readableState: State
  /** The number of events with listeners. */
  readonly _eventsCount: number
  _dumped: boolean
  [kReader]: Reader | null
  /** Reads the rest of a request after the response. */
  _dump(): void
}

interface Reader {
  onData(chunk: Buffer): void
  onEnd(error?: Error): void
}

/** The reader of the body, until code uses the stream. */
const kReader: unique symbol = Symbol('framework.incoming.reader')

/** Stands for the reader of a request that is being dumped. */
const dumping: Reader = { onData() {}, onEnd() {} }

/** Methods that use a request as a stream. Others, such as `once`, `pipe` and iterators, call one of them. */
const streamMethods = [
  'on',
  'addListener',
  'prependListener',
  'removeListener',
  'pause',
  'setEncoding',
  'unshift',
  'destroy',
] as const

/** Creates the subclass of `IncomingMessage`. Its requests work as Node's own if functions of Node that it skips were replaced. */
export function createIncomingClass(http: typeof Http): typeof Http.IncomingMessage {
  const own = http.IncomingMessage.prototype as Internals
  const { destroy, emit, on, push, _dump } = own
  let isNodesOwn: boolean | undefined

  // Applications can see the name, so it stays Node's.
  class IncomingMessage extends http.IncomingMessage {
    override push(chunk: Buffer | string | null, encoding?: BufferEncoding): boolean {
      const request = this as unknown as Internals
      const reader = request[kReader]
      if (reader === null) return super.push(chunk, encoding)
      if (reader === dumping || typeof chunk === 'string' || request.emit !== emit) {
        becomeStream(request)
        return super.push(chunk, encoding)
      }
      if (chunk === null) {
        // As in Node, the body ends after the parser has read what has arrived.
        process.nextTick(endBody, request)
        return false
      }
      request._readableState.dataEmitted = true
      reader.onData(chunk)
      return true
    }

    _dump(): void {
      const request = this as unknown as Internals
      if (!request.complete || !isUnused(request)) {
        own._dump.call(request)
        return
      }
      // The connection forgets requests that have ended, and checks that right after this.
      end(request)
      request[kReader] = dumping
      process.nextTick(endDumped, request)
    }
  }
  const prototype = IncomingMessage.prototype as unknown as Internals
  for (const name of streamMethods) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: Internals, ...args: never[]): unknown {
        becomeStream(this)
        return (own[name] as (...args: never[]) => unknown).apply(this, args)
      },
    })
  }
  const incoming: Incoming = {
    ...nodeIncoming,
    readChunks(raw, onData, onEnd) {
      const request = raw as unknown as Internals
      const state = request._readableState
      if (request.complete || !isUnused(request) || state.decoder) return false
      request[kReader] = { onData, onEnd }
      state.flowing = true
      // Reads from the connection, and leaves the stream in the state in which it emits chunks at once.
      request.read(0)
      return true
    },
  }
  Object.assign(prototype, { [kReader]: null, [kIncoming]: incoming })
  const fast = { on: prototype.on, destroy: prototype.destroy }
  return IncomingMessage

  /** Returns whether a request has no listeners, nothing was read, and Node's functions weren't replaced. */
  function isUnused(request: Internals): boolean {
    const state = request._readableState
    isNodesOwn ??=
      isUnpatched(destroy, '_destroy(this') &&
      isUnpatched(emit, 'kErrorMonitor') &&
      isUnpatched(on, 'kReadableListening') &&
      isUnpatched(push, 'readableAddChunkPush') &&
      isUnpatched(_dump, '_dumped = true')
    return (
      isNodesOwn &&
      request._eventsCount === 0 &&
      state.flowing === null &&
      state.length === 0 &&
      !state.destroyed &&
      request.emit === emit &&
      request.on === fast.on &&
      request.destroy === fast.destroy &&
      own.on === on &&
      own.push === push &&
      own.destroy === destroy &&
      own._dump === _dump
    )
  }

  function endBody(request: Internals): void {
    if (request.emit !== emit) becomeStream(request)
    const { [kReader]: reader, _readableState: state } = request
    if (reader === null) return
    request[kReader] = null
    end(request)
    reader.onEnd()
    // Node destroys a stream that was read to its end.
    if (request._eventsCount > 0 || request.emit !== emit) request.destroy()
    else if (!state.destroyed) {
      state.destroyed = true
      process.nextTick(emitClose, request)
    }
  }

  function endDumped(request: Internals): void {
    const state = request._readableState
    if (request.emit !== emit) becomeStream(request)
    if (request[kReader] === null) return
    request[kReader] = null
    request._dumped = true
    state.destroyed = state.closed = state.closeEmitted = true
  }

  /** Undoes the dump of a request, or makes its reader a listener like others. */
  function becomeStream(request: Internals): void {
    const reader = request[kReader]
    if (reader === null) return
    request[kReader] = null
    if (reader === dumping) {
      request._readableState.flowing = null
      request._readableState.endEmitted = false
      own._dump.call(request)
      return
    }
    request.on('data', reader.onData)
    request.on('end', reader.onEnd)
    request.on('error', reader.onEnd)
    // The end has come, but wasn't noted yet.
    if (request.complete) request.push(null)
  }
}

function end({ _readableState: state }: Internals): void {
  state.flowing = state.ended = state.endEmitted = true
}

function emitClose(request: Internals): void {
  request._readableState.closed = request._readableState.closeEmitted = true
  request.emit('close')
}
