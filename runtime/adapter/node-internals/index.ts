/**
 * Reads requests and writes responses through internal fields and methods of `node:http`. A small response takes a quarter less CPU time
 * this way, because Node otherwise checks and formats the same headers again for each response. Requests without the work of a stream
 * save up to 10 % more.
 *
 * Everything in the runtime that depends on internals of `node:http` is in this folder. It is used only on tested releases.
 */
import type * as Http from 'node:http'
import { kOutgoing, nodeOutgoing, type Outgoing } from '../../serve/exchange.ts'
import { createWriteHead, isUnpatched, type WriteHead } from './head.ts'
import { createIncomingClass } from './incoming.ts'

type RequestClass = typeof Http.IncomingMessage
type ResponseClass = typeof Http.ServerResponse

/** Major versions of Node that the tests run on. */
export const testedNodes: readonly string[] = ['20', '22', '24', '26']

/** Server options with the classes of requests and responses. */
interface Classes {
  readonly IncomingMessage?: RequestClass
  readonly ServerResponse?: ResponseClass
}

let created: { readonly bases: Classes; readonly classes: Classes } | undefined

/** Returns the classes, or `{}` on untested releases of Node, in Bun and Deno, and with `useNodeInternals: false`. */
export function fastClasses(http: typeof Http, useNodeInternals: boolean | undefined): Classes {
  if (useNodeInternals === false || !isTestedNode()) return {}
  const { IncomingMessage, ServerResponse } = http
  const { bases } = created ?? {}
  if (bases?.IncomingMessage !== IncomingMessage || bases.ServerResponse !== ServerResponse) {
    const classes = {
      IncomingMessage: createIncomingClass(http),
      ServerResponse: createResponseClass(http),
    }
    created = { bases: { IncomingMessage, ServerResponse }, classes }
  }
  return (created as { classes: Classes }).classes
}

function isTestedNode(): boolean {
  const { node, bun, deno } = process.versions as Partial<Record<string, string>>
  if (node === undefined || bun !== undefined || deno !== undefined) return false
  return testedNodes.includes(node.slice(0, node.indexOf('.')))
}

/** Internal fields and methods of a response. */
interface Internals {
  /** False for HEAD requests and for statuses without a body, such as 204. */
  readonly _hasBody: boolean
  readonly strictContentLength: boolean
  readonly chunkedEncoding: boolean
  readonly destroyed: boolean
  write(): unknown
  end(payload?: string | Buffer, encoding?: null): unknown
  /** Writes text, after the head if that is still waiting. */
  _send(text: string, encoding: 'utf8' | 'latin1'): boolean
}

/** Creates the subclass of `ServerResponse` that sends a complete head and payload with one internal call. */
function createResponseClass(http: typeof Http): ResponseClass {
  const base = http.ServerResponse
  // Applications can see the name, so it stays Node's.
  class ServerResponse extends base {}
  // Created with the first response, to keep the start short.
  let writeHead: WriteHead | undefined
  const outgoing: Outgoing = {
    ...nodeOutgoing,
    writeHead(raw, headers) {
      writeHead ??= createWriteHead(http)
      return writeHead(raw, headers)
    },
    endWith: createEndWith(base.prototype),
  }
  Object.assign(ServerResponse.prototype, { [kOutgoing]: outgoing })
  return ServerResponse as ResponseClass
}

/** Creates the function that ends a response. It returns false if the methods of the response were replaced, or nothing can be sent. */
function createEndWith(
  prototype: unknown,
): (raw: unknown, payload: string | Buffer, isAscii: boolean) => boolean {
  const { write, end, _send } = prototype as Internals
  let isNodesOwn: boolean | undefined

  return function endWith(raw, payload, isAscii) {
    const response = raw as Internals
    isNodesOwn ??=
      isUnpatched(write, 'write_(') &&
      isUnpatched(end, 'write_(') &&
      isUnpatched(_send, '_writeRaw(')
    if (!isNodesOwn || response.write !== write || response.end !== end || response._send !== _send)
      return false
    // A destroyed response emits no end.
    if (response.destroyed) return false
    if (typeof payload === 'string' && payload !== '' && isSentAsIs(response)) {
      // Head and payload are one string here. Latin-1 is written faster than UTF-8, and is the same for ASCII.
      response._send(payload, isAscii ? 'latin1' : 'utf8')
      response.end()
    } else {
      response.end(payload, null)
    }
    return true
  }
}

function isSentAsIs({ _hasBody, chunkedEncoding, strictContentLength }: Internals): boolean {
  return _hasBody && !chunkedEncoding && !strictContentLength
}
