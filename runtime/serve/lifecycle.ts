/** The first half of a request's lifecycle: creates request and reply, runs `onRequest` and `preParsing` hooks, and parses the body. */
import type { ServedApplication } from './application.ts'
import { endWithJson } from './dispatch.ts'
import { guard } from './guard.ts'
import { endedBy, runFromValidation } from './handler.ts'
import { runAbortHooks, runHooks, runParsingHooks } from './hook-runners.ts'
import type { ReadContentType } from './line/content-type-of-body.ts'
import type { Line } from './line/index.ts'
import { createChildLogger, defaultChildLoggerFactory, nullLogger } from './logger.ts'
import type { RawReply, RawRequest, Reply, Request } from './model.ts'
import { runParser } from './body/parse.ts'
import { onAbort } from './on-abort.ts'
import { listenForEnd } from './reply/listen-for-end.ts'
import type { RouteContext } from './route-context.ts'
import {
  kContext,
  kPayloadStream,
  kRawReply,
  kReplyIsError,
  kRoute,
  kTimeoutTarget,
} from './symbols.ts'

/** Called by the router when it has found a route. */
export type RouteEntry<Store = RouteContext> = (
  raw: RawRequest,
  response: RawReply,
  params: unknown,
  store: Store | null,
  query: unknown,
) => void

/** Creates the function that begins each request. */
export function createRouteEntry(app: ServedApplication): RouteEntry {
  const { hasLogger, line, logger, logging, state, validateHttpVersion } = app

  return function enterRoute(raw, response, params, store, query) {
    const route = store as RouteContext
    const id = route.genReqId.call(route.server, raw)
    const isSilent = logger === nullLogger && route.childLoggerFactory === defaultChildLoggerFactory
    const log = isSilent
      ? nullLogger
      : createChildLogger(route, logger, raw, id, toLoggerOptions(route, line))
    if (!validateHttpVersion(raw.httpVersion)) {
      log.info({ res: { statusCode: 505 } }, 'request aborted - invalid HTTP version')
      const error = 'HTTP Version Not Supported'
      endWithJson(response, { error, message: error, statusCode: 505 })
      return
    }
    if (state.closing) {
      if (raw.httpVersionMajor !== 2) response.setHeader('Connection', 'close')
      if (app.return503OnClosing) {
        const error = 'Service Unavailable'
        endWithJson(response, { error, message: error, statusCode: 503 })
        logging.serviceUnavailable(log, route.server)
        return
      }
    }

    const request = new route.Request(id, params, raw, query, log, route)
    const reply = new route.Reply(response, request, log)
    request[kRawReply] = response
    const { onRequestAbort, onTimeout } = route
    if (onTimeout !== null && line.listensForTimeoutFirst) listenForTimeout(route, request, reply)
    guard(begin, null, request, reply)
    if (onRequestAbort !== null) listenForAbort(route, request, reply)
    if (onTimeout !== null && !line.listensForTimeoutFirst) listenForTimeout(route, request, reply)
  }

  function begin(_error: unknown, request: Request, reply: Reply): void {
    const route = request[kRoute]
    logging.incomingRequest(request, reply)
    const { handlerTimeout } = route
    if (handlerTimeout > 0) line.limitTime?.(request, reply, handlerTimeout)
    if (hasLogger || route.onResponse !== null || handlerTimeout > 0) listenForEnd(reply)
    if (route.loader !== null) route.loader.load()
    if (route.onRequest === null) preParse(null, request, reply)
    else runHooks(route.onRequest, route.server, request, reply, preParse)
  }
}

function toLoggerOptions(
  { logLevel, logSerializers }: RouteContext,
  { passesEmptyLogLevel }: Line,
): object {
  return {
    ...((logLevel || passesEmptyLogLevel) && { level: logLevel }),
    ...(logSerializers && { serializers: logSerializers }),
  }
}

function preParse(error: unknown, request: Request, reply: Reply): void {
  if (endedBy(error, reply)) return
  const route = request[kRoute]
  if (route.preParsing === null) {
    parse(null, request, reply)
    return
  }
  request[kPayloadStream] = request.raw
  runParsingHooks(route.preParsing, route.server, request, reply, parse)
}

function parse(error: unknown, request: Request, reply: Reply): void {
  if (endedBy(error, reply)) return
  const contentType = contentTypeOfBody(request)
  if (contentType === null) runFromValidation(request, reply)
  else if (typeof contentType === 'string') runParser(contentType, request, reply)
  else {
    reply[kReplyIsError] = true
    reply.code(contentType.statusCode as number).send(contentType)
  }
}

/** Returns `null` if there is no body to parse, and `''` if it has no content type. */
function contentTypeOfBody(request: Request): ReturnType<ReadContentType> {
  const method = request.raw.method as string
  const read = request.server[kContext].app.methods.get(method)
  return read ? read(request, method) : null
}

/** @param route the route of the URL: `callNotFound` replaces the request's */
function listenForAbort(route: RouteContext, request: Request, reply: Reply): void {
  const { onRequestAbort: hooks, server } = route
  onAbort(request.raw, reply.raw, () => guard(abort, null, request, reply))

  function abort(): void {
    if (hooks !== null) runAbortHooks(hooks, server, request, reply, logAbortFailure)
  }
}

function logAbortFailure(error: unknown, _request: Request, reply: Reply): void {
  if (error) reply.log.error({ err: error }, 'onRequestAborted hook failed')
}

interface TimeoutSocket {
  /** `null` after the reply was hijacked. */
  [kTimeoutTarget]?: Readonly<{ route: RouteContext; request: Request; reply: Reply }> | null
  on(event: 'timeout', listener: () => void): void
}

/** Adds one listener per socket. It runs the hooks of the socket's latest request that has some. */
function listenForTimeout(route: RouteContext, request: Request, reply: Reply): void {
  const socket: TimeoutSocket = request.raw.socket
  if (socket[kTimeoutTarget] === undefined) {
    socket.on('timeout', () => {
      const target = socket[kTimeoutTarget]
      if (target) guard(timeOut, null, target.request, target.reply, target.route)
    })
  }
  socket[kTimeoutTarget] = { route, request, reply }
}

function timeOut(_error: unknown, request: Request, reply: Reply, route: unknown): void {
  const { onTimeout: hooks, server } = route as RouteContext
  if (hooks !== null) runHooks(hooks, server, request, reply, noop)
}

function noop(): void {}
