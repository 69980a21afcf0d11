/**
 * The exchange of a request: how the lifecycle reads what comes in, and writes what goes out.
 *
 * `request.raw` and `reply.raw` have Node's members on every platform, but some of them are slow. An adapter whose objects have a
 * faster way puts its functions on their prototypes. For other objects, such as those of `inject` on Node, HTTP/2 and servers of
 * the application, the functions here use Node's members.
 */
import type { HeaderValue, RawReply, RawRequest, Request } from './model.ts'
import { kExtraHeaders } from './symbols.ts'

/** Prototype of a raw request: its functions. Registered, because a process may load this package twice. */
export const kIncoming: unique symbol = Symbol.for('framework.exchange.incoming') as never
/** Prototype of a raw response: its functions. */
export const kOutgoing: unique symbol = Symbol.for('framework.exchange.outgoing') as never

export interface Incoming {
  /** Returns a header, without creating all of them if possible. */
  header(raw: RawRequest, name: string): string | undefined
  /**
   * Reads the whole body at once. Returns false if it has to be read as a stream.
   *
   * @param onBody called with a string or a buffer, in the async context of this call
   */
  readWhole(
    raw: RawRequest,
    asString: boolean,
    onBody: (body: string | Buffer) => void,
    onError: (error: Error) => void,
  ): boolean
  /**
   * Reads the body in chunks, without its stream. Returns false if it has to be read as a stream.
   *
   * @param onEnd called after the last chunk, or with an error
   */
  readChunks(
    raw: RawRequest,
    onData: (chunk: Buffer) => void,
    onEnd: (error?: Error) => void,
  ): boolean
  /** Returns whether the connection is destroyed. Always false for HTTP/2. */
  isCutOff(raw: RawRequest): boolean
}

export interface Outgoing {
  /** Writes the head with the current status. Returns whether it is known to be ASCII. */
  writeHead(raw: RawReply, headers: Record<string, HeaderValue>): boolean
  /**
   * Ends the response with a payload after the head was written. Returns false if the payload has to be written before.
   *
   * @param isAscii whether head and payload are known to be ASCII
   */
  endWith(raw: RawReply, payload: string | Buffer, isAscii: boolean): boolean
  /**
   * Pipes a stream into the response, and ends it.
   *
   * @param watch listens to the end of the response. It's called before something else than the stream ends it
   */
  pipe(raw: RawReply, stream: NodeJS.ReadableStream, watch: () => void): void
  /** Calls back once, when the response has finished or failed. */
  onEnd(raw: RawReply, listener: (error?: unknown) => void): void
  /** Answers with a platform's `Response` of status 101 once the head is written. Platforms without such a response leave it out. */
  switchProtocols?(raw: RawReply, response: object): void
  /** Makes the platform wait for work that continues after the answer. Platforms that always wait leave it out. */
  keep?(raw: RawReply, work: PromiseLike<unknown>): void
}

/** Returns the functions for a raw request. */
export function incomingOf(raw: RawRequest): Incoming {
  return raw[kIncoming] ?? nodeIncoming
}

/** Returns the functions for a raw response. */
export function outgoingOf(raw: RawReply): Outgoing {
  return raw[kOutgoing] ?? nodeOutgoing
}

/**
 * Makes the platform wait for work that continues after the answer.
 *
 * @param work a promise that doesn't reject. `undefined` from thenables of some libraries
 */
export function keepAlive(raw: RawReply, work: PromiseLike<unknown> | undefined): void {
  const { keep } = outgoingOf(raw)
  if (keep !== undefined && work !== undefined) keep(raw, work)
}

/** Returns a header of a request, as it is in `request.headers`. */
export function headerOf(request: Request, name: string): string | undefined {
  if (request[kExtraHeaders] !== undefined) return request.headers[name]
  return incomingOf(request.raw).header(request.raw, name)
}

export const nodeIncoming: Incoming = {
  header: (raw, name) => raw.headers[name] as string | undefined,
  readWhole: () => false,
  readChunks: () => false,
  isCutOff: (raw) => raw.httpVersionMajor !== 2 && raw.socket?.destroyed,
}

export const nodeOutgoing: Outgoing = {
  writeHead(raw, headers) {
    raw.writeHead(raw.statusCode, headers)
    return false
  },
  endWith(raw, payload) {
    // If `write` was replaced, it has to be called.
    if (Object.hasOwn(raw, 'write')) return false
    // Fastify passes `null` as the encoding, too, which code that replaces `end` may read.
    raw.end(payload, null as never, undefined)
    return true
  },
  pipe(raw, stream, watch) {
    watch()
    stream.pipe(raw)
  },
  onEnd(raw, listener) {
    let isOver = false
    const onEnd = (error?: unknown): void => {
      // Both events may be emitted.
      if (isOver) return
      isOver = true
      raw.removeListener('error', onEnd)
      listener(error)
    }
    raw.on('finish', onEnd)
    raw.on('error', onEnd)
  },
}
