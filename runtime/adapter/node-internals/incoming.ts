/**
 * Requests that become streams when somebody uses them as such. Until then nobody would notice their events: the connection gives
 * the body to its reader, and the end is a matter of flags.
 */
import type * as Http from 'node:http'
import { type BodyReader, type Incoming, kIncoming, nodeIncoming } from '../../serve/exchange.ts'
import { isUnpatched } from './head.ts'

type IncomingClass = typeof Http.IncomingMessage

/** Internal fields of a stream. */
interface State {
  readonly length: number
  readonly decoder: unknown
  flowing: boolean | null
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
  _consuming: boolean
  _dumped: boolean
  [kReader]: BodyReader | null
  /** Reads the rest of a request after the answer. */
  _dump(): void
}

/** Gets the body as long as nobody else listens. */
const kReader: unique symbol = Symbol('framework.incoming.reader')

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

/** Creates the subclass of `IncomingMessage`. Returns Node's own class if somebody has replaced functions that it leaves out. */
export function createIncomingClass(http: typeof Http): IncomingClass {
  const base = http.IncomingMessage
  const own = base.prototype as Internals
  const { destroy, emit, push, _dump } = own
  if (
    !isUnpatched(destroy, '_destroy(this') ||
    !isUnpatched(emit, 'kErrorMonitor') ||
    !isUnpatched(push, 'readableAddChunk') ||
    !isUnpatched(_dump, '_dumped = true')
  ) {
    return base
  }
  /** Requests that were dumped in this tick. */
  let dumped: Internals[] = []

  // Applications can see the name, so it stays Node's.
  class IncomingMessage extends base {
    override push(chunk: Buffer | string | null, encoding?: BufferEncoding): boolean {
      const request = this as unknown as Internals
      const reader = request[kReader]
      if (reader !== null && typeof chunk !== 'string' && request.emit === emit) {
        if (chunk === null) return endReading(request, reader)
        reader.onData(chunk)
        return true
      }
      if (chunk === null && isUnused(request)) {
        request._readableState.ended = true
        return false
      }
      becomeStream(request)
      return super.push(chunk, encoding)
    }

    _dump(): void {
      const request = this as unknown as Internals
      if (!request.complete || !isUnused(request)) {
        own._dump.call(request)
        return
      }
      // Node asks whether the stream has ended right after this. It may still be used in this tick.
      markEnded(request)
      if (dumped.push(request) === 1) process.nextTick(closeDumped)
    }
  }
  for (const name of streamMethods) {
    Object.defineProperty(IncomingMessage.prototype, name, {
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
    readChunks(raw, reader) {
      const request = raw as unknown as Internals
      const state = request._readableState
      if (request.complete || !isUnused(request) || state.decoder) return false
      request[kReader] = reader
      state.flowing = true
      // Asks the connection for more, and leaves the stream in the state in which it emits chunks at once.
      request.read(0)
      return true
    },
  }
  Object.assign(IncomingMessage.prototype, { [kReader]: null, [kIncoming]: incoming })
  return IncomingMessage

  /** Returns whether nobody listens, and nothing was read. */
  function isUnused(request: Internals): boolean {
    const state = request._readableState
    return (
      request._eventsCount === 0 &&
      state.flowing === null &&
      state.length === 0 &&
      !state.destroyed &&
      request.emit === emit &&
      own.push === push &&
      own.destroy === destroy &&
      own._dump === _dump
    )
  }

  /** Makes the reader of a request a listener like others, and takes back an end that nobody has noticed. */
  function becomeStream(request: Internals): void {
    const reader = request[kReader]
    if (reader !== null) {
      request[kReader] = null
      request.on('data', reader.onData)
      request.on('end', reader.onEnd)
      request.on('error', reader.onEnd)
    } else if (dumped.length > 0 && dumped.includes(request)) {
      dumped = dumped.filter((each) => each !== request)
      dumpAsStream(request)
    }
  }

  function dumpAsStream(request: Internals): void {
    request._readableState.flowing = null
    request._readableState.endEmitted = false
    own._dump.call(request)
  }

  function closeDumped(): void {
    const requests = dumped
    dumped = []
    for (const request of requests) {
      if (request.emit !== emit) {
        dumpAsStream(request)
        continue
      }
      const state = request._readableState
      request._consuming = request._dumped = true
      state.destroyed = state.closed = state.closeEmitted = true
    }
  }
}

/** Ends the request, and passes the body on. Returns false, as `push` does. */
function endReading(request: Internals, reader: BodyReader): false {
  const { _readableState: state, emit } = request
  request[kReader] = null
  markEnded(request)
  reader.onWhole()
  // Node destroys a stream that was read to its end.
  if (request._eventsCount > 0 || request.emit !== emit) request.destroy()
  else if (!state.destroyed) {
    state.destroyed = true
    process.nextTick(close, request)
  }
  return false
}

function close(request: Internals): void {
  request._readableState.closed = request._readableState.closeEmitted = true
  request.emit('close')
}

function markEnded({ _readableState: state }: Internals): void {
  state.flowing = state.ended = state.endEmitted = true
}
