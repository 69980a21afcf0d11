import type * as Http from 'node:http'
import { nextTick } from '../platform/index.ts'
import type { RawReply } from '../serve/model.ts'
import { kSkipEnd } from '../serve/symbols.ts'

type IncomingClass = typeof Http.IncomingMessage

/** What Node keeps of a stream. It sets the same itself with its option `optimizeEmptyRequests`, before anybody could listen. */
interface StreamState {
  ended: boolean
  endEmitted: boolean
  destroyed: boolean
  closed: boolean
  closeEmitted: boolean
}

/** Options of a server for the classes of what it makes. Deno and Bun have streams of their own in the place of Node's. */
export function ownClasses(http: typeof Http): { IncomingMessage?: IncomingClass } {
  const { versions } = process
  return 'deno' in versions || 'bun' in versions ? {} : { IncomingMessage: incomingClass(http) }
}

let made: { readonly base: IncomingClass; readonly Incoming: IncomingClass } | undefined

/**
 * The class of requests that come by `node:http`. After the answer Node reads a request to its end, which takes five turns of
 * its queue, even where there is nothing to read and nobody who would hear of it.
 */
function incomingClass({ IncomingMessage: base }: typeof Http): IncomingClass {
  if (made?.base === base) return made.Incoming

  class Incoming extends base {
    /** Of a request whose end was skipped: its response, until somebody asks for the end after all. */
    declare [kSkippedFor]: RawReply | null;

    /** Called when the answer is complete. The stream is over at once, unless there is something to read or a listener. */
    [kSkipEnd](response: RawReply): void {
      const { headers } = this
      if (
        headers['content-length'] !== undefined ||
        headers['transfer-encoding'] !== undefined ||
        this.readableFlowing !== null ||
        this.eventNames().length > 0
      ) {
        return
      }
      const own = this as unknown as { _readableState: StreamState; _dumped: boolean }
      own._dumped = true
      const { _readableState: state } = own
      state.ended = true
      state.endEmitted = true
      state.destroyed = true
      state.closed = true
      state.closeEmitted = true
      this[kSkippedFor] = response
    }

    override on(event: string | symbol, listener: (...args: never[]) => void): this {
      const response = this[kSkippedFor]
      if (response !== null && (event === 'end' || event === 'close')) {
        this[kSkippedFor] = null
        endWith(response, this)
      }
      return super.on(event as string, listener as () => void)
    }

    override addListener(event: string | symbol, listener: (...args: never[]) => void): this {
      return this.on(event, listener)
    }
  }
  Incoming.prototype[kSkippedFor] = null
  // What applications see of it is Node's class.
  Object.defineProperty(Incoming, 'name', { value: base.name })
  made = { base, Incoming }
  return Incoming
}

const kSkippedFor: unique symbol = Symbol('framework.incoming.skippedFor')

/** Tells who has begun to listen after the answer of the end, when it would have come. */
function endWith(response: RawReply, request: Http.IncomingMessage): void {
  const end = (): void => {
    if (response.writableFinished) request.emit('end')
    request.emit('close')
  }
  if (response.closed) nextTick(end)
  else response.once('close', end)
}
