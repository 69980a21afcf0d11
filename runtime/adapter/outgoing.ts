import type * as Http from 'node:http'
import type { RawReply } from '../serve/model.ts'
import { nextTick } from '../platform/index.ts'
import { kEndWith, kGather, kHearEnd, kWriteHead } from '../serve/symbols.ts'
import { ownTurns } from './connection.ts'
import { hearEnd } from './ending.ts'
import { type HeadState, isNodes, ownHeads, type WriteHead } from './head.ts'

type ResponseClass = typeof Http.ServerResponse

/** What Node keeps of a response, and calls. */
interface Internals {
  /** Not after the head of an answer to HEAD, nor of a 204 or 304. */
  readonly _hasBody: boolean
  readonly strictContentLength: boolean
  readonly socket: Socket | null
  readonly chunkedEncoding: boolean
  /** Whether somebody waits until what was written is out. */
  readonly writableNeedDrain: boolean
  readonly finished: boolean
  readonly destroyed: boolean
  write(): unknown
  end(payload?: string | Buffer, encoding?: null): unknown
  /** Writes text, after the head where that is not out yet. */
  _send(text: string, encoding: 'utf8' | 'latin1'): boolean
}

interface Socket {
  readonly writableCorked: number
  cork(): void
  uncork(): void
}

/** Options of a server for the class of its responses. Deno and Bun have responses of their own in the place of Node's. */
export function ownOutgoing(http: typeof Http): { ServerResponse?: ResponseClass } {
  const { versions } = process
  if ('deno' in versions || 'bun' in versions || versions.node === undefined) return {}
  return { ServerResponse: responseClass(http) }
}

let made: { readonly base: ResponseClass; readonly Outgoing: ResponseClass } | undefined

/** The class of responses that go out by `node:http`: an answer that is there as a whole takes less to write. */
function responseClass(http: typeof Http): ResponseClass {
  const base = http.ServerResponse
  if (made?.base === base) return made.Outgoing
  // Applications see the name, so it is Node's.
  class ServerResponse extends base {}
  const prototype = ServerResponse.prototype as unknown as RawReply
  // Made with the first answer: a start has no time for it.
  let writeHead: WriteHead | undefined
  prototype[kWriteHead] = function (headers) {
    writeHead ??= ownHeads(http)
    return writeHead(this as unknown as HeadState, headers)
  }
  prototype[kGather] = gather
  prototype[kHearEnd] = hearEnd
  prototype[kEndWith] = ownEnd(base.prototype as unknown as Internals)
  Object.assign(prototype, ownTurns(http))
  made = { base, Outgoing: ServerResponse as unknown as ResponseClass }
  return made.Outgoing
}

/** Makes what ends with a payload at once, where nobody has put functions in the place of Node's that want to hear of it. */
function ownEnd({
  write,
  end,
  _send,
}: Internals): (this: unknown, payload: string | Buffer, isAscii: boolean) => boolean {
  let areNodes: boolean | undefined

  return function endWith(payload, isAscii) {
    const response = this as Internals
    areNodes ??=
      isNodes(write, 'write_(') && isNodes(end, 'write_(') && isNodes(_send, '_writeRaw(')
    if (!areNodes || response.write !== write || response.end !== end || response._send !== _send)
      return false
    // Whoever listens hears of no end then.
    if (response.destroyed) return false
    if (typeof payload === 'string' && payload !== '' && isPlain(response)) {
      // `end` with a payload makes the socket gather what is written first. Head and payload are one text already, and to copy
      // its characters as they are takes less than to look for those that UTF-8 has more bytes for.
      response._send(payload, isAscii ? 'latin1' : 'utf8')
      response.end()
    } else {
      response.end(payload, null)
    }
    return true
  }
}

/** Whether a payload goes out as it is, after a head that says how long it is. */
function isPlain({ _hasBody, chunkedEncoding, strictContentLength }: Internals): boolean {
  return _hasBody && !chunkedEncoding && !strictContentLength
}

/**
 * Called before the tick in which a stream gives what it has at once. Node holds that back until the tick after, and such a
 * stream ends in the one after that: it is held until then, so that its answer is one write. The function that is returned
 * lets go of it before.
 */
function gather(this: unknown): () => void {
  const response = this as Internals
  const { socket } = response
  let isHeld = false
  nextTick(hold)
  return letGo

  function hold(): void {
    if (socket === null || socket.writableCorked === 0 || response.writableNeedDrain) return
    isHeld = true
    socket.cork()
    nextTick(letGo)
  }

  function letGo(): void {
    // The end lets go of all that is held.
    if (isHeld && !response.finished) (socket as Socket).uncork()
    isHeld = false
  }
}
