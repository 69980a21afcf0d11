import type * as Http from 'node:http'
import { nextTick } from '../platform/index.ts'
import { kTakeBody } from '../serve/symbols.ts'

type IncomingClass = typeof Http.IncomingMessage
type Listener = (...args: never[]) => void

/** What is told of a body: its bytes as they come, and its end. */
interface BodyReader {
  /** Tells whether it wants more. */
  readonly onData: (chunk: Buffer) => boolean
  readonly onEnd: () => void
}

/** What Node keeps of a stream. Its own option `optimizeEmptyRequests` sets the same of a request, before anybody can listen. */
interface StreamState {
  /** Bytes that nobody has read yet. */
  readonly length: number
  flowing: boolean | null
  ended: boolean
  endEmitted: boolean
  destroyed: boolean
  closed: boolean
  closeEmitted: boolean
}

/** What Node calls of a request. */
interface Internals {
  readonly _readableState: StreamState
  /** How many events have listeners. */
  readonly _eventsCount: number
  /** Reads what is left of a request, once the answer is complete. */
  _dump(): void
}

/** Options of a server for the class of its requests. Deno and Bun have streams of their own in the place of Node's. */
export function ownIncoming(http: typeof Http): { IncomingMessage?: IncomingClass } {
  const { versions } = process
  return 'deno' in versions || 'bun' in versions ? {} : { IncomingMessage: incomingClass(http) }
}

let made: { readonly base: IncomingClass; readonly Incoming: IncomingClass } | undefined

/**
 * The class of requests that come by `node:http`: streams that take less work to read. Where nobody listens but the parser of
 * the body, that gets the bytes as they come, and where nobody listens at all the end is no event: each takes Node some eight
 * turns of its queue. Whoever begins to listen gets the stream.
 */
function incomingClass(http: typeof Http): IncomingClass {
  const base = http.IncomingMessage
  if (made?.base === base) return made.Incoming
  const { _dump: dump } = base.prototype as unknown as Internals

  // Applications see the name, so it is Node's. Defined afterwards it would keep V8 from compiling the constructor.
  class IncomingMessage extends base {
    /** Who takes the body, as long as nobody else listens. */
    declare [kReader]: BodyReader | null;

    /** Gives the body to a reader, if all of it is still to come and nobody else has asked for it. */
    [kTakeBody](onData: BodyReader['onData'], onEnd: () => void): boolean {
      if (this.complete || !isUntouched(this)) return false
      this[kReader] = { onData, onEnd }
      stateOf(this).flowing = true
      this._read(0)
      return true
    }

    override push(chunk: Buffer | null): boolean {
      const reader = this[kReader]
      if (reader === null) return super.push(chunk)
      if (stateOf(this).destroyed) {
        this[kReader] = null
        return super.push(chunk)
      }
      if (chunk === null) {
        nextTick(endBody, this)
        return false
      }
      if (!reader.onData(chunk)) drain(this)
      return true
    }

    override on(event: string | symbol, listener: Listener): this {
      if (this[kReader] !== null && event !== 'error') release(this)
      return super.on(event as string, listener as () => void)
    }

    override addListener(event: string | symbol, listener: Listener): this {
      return this.on(event, listener)
    }

    override prependListener(event: string | symbol, listener: Listener): this {
      if (this[kReader] !== null && event !== 'error') release(this)
      return super.prependListener(event as string, listener as () => void)
    }

    override pause(): this {
      if (this[kReader] !== null) release(this)
      return super.pause()
    }

    override setEncoding(encoding: BufferEncoding): this {
      if (this[kReader] !== null) release(this)
      return super.setEncoding(encoding)
    }

    _dump(): void {
      if (this[kReader] !== null) return
      if (!this.complete || !isUntouched(this)) {
        dump.call(this)
        return
      }
      // Node asks whether it has ended right after this. Whoever hears that the answer is complete may still begin to listen.
      end(this)
      nextTick(endUnheard, this)
    }
  }
  IncomingMessage.prototype[kReader] = null
  made = { base, Incoming: IncomingMessage }
  return IncomingMessage

  function endUnheard(incoming: IncomingMessage): void {
    const state = stateOf(incoming)
    if (isUnheard(incoming)) {
      state.destroyed = true
      close(incoming)
      return
    }
    state.flowing = null
    state.endEmitted = false
    dump.call(incoming)
  }

  /** The reader hears of the end, then the stream is over, as after the event. */
  function endBody(incoming: IncomingMessage): void {
    const reader = incoming[kReader]
    if (reader === null) return
    incoming[kReader] = null
    if (stateOf(incoming).destroyed) return
    end(incoming)
    reader.onEnd()
    if (isUnheard(incoming)) {
      stateOf(incoming).destroyed = true
      nextTick(close, incoming)
    } else {
      incoming.destroy()
    }
  }

  /** Reads what is left, for nobody. */
  function drain(incoming: IncomingMessage): void {
    incoming[kReader] = null
    stateOf(incoming).flowing = null
    incoming.resume()
  }

  /** Makes the reader one of several listeners. */
  function release(incoming: IncomingMessage): void {
    const { onData, onEnd } = incoming[kReader] as BodyReader
    incoming[kReader] = null
    stateOf(incoming).flowing = null
    incoming.on('data', onData)
    incoming.on('end', onEnd)
    if (incoming.complete) incoming.push(null)
  }
}

const kReader: unique symbol = Symbol('framework.incoming.reader')

/** By the fields, not by the accessors of streams: those take as long as all the rest here. */
function isUntouched(incoming: Http.IncomingMessage): boolean {
  const state = stateOf(incoming)
  return isUnheard(incoming) && state.flowing === null && state.length === 0 && !state.destroyed
}

function isUnheard(incoming: Http.IncomingMessage): boolean {
  return (incoming as unknown as Internals)._eventsCount === 0
}

function end(incoming: Http.IncomingMessage): void {
  const state = stateOf(incoming)
  state.flowing = true
  state.ended = true
  state.endEmitted = true
}

function close(incoming: Http.IncomingMessage): void {
  const state = stateOf(incoming)
  state.closed = true
  state.closeEmitted = true
  if (!isUnheard(incoming)) incoming.emit('close')
}

function stateOf(incoming: Http.IncomingMessage): StreamState {
  return (incoming as unknown as Internals)._readableState
}
