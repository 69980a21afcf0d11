/** The entry of all requests: rewrites the URL, calls the router, and answers the errors of both. */
import type { ServedApplication } from './application.ts'
import { rootErrorHandler } from './error-handler.ts'
import { errorCodes } from '../errors/index.ts'
import { guard } from './guard.ts'
import { createChildLogger, defaultChildLoggerFactory } from './logger.ts'
import type { Failure, RawReply, RawRequest, Reply, Request } from './model.ts'
import { RouteContext } from './route-context.ts'
import { sendRejected, sendRejection } from './send-result.ts'

/** Serves a request. The server, `inject` and `instance.routing` call it. */
export type Dispatch = (raw: RawRequest, response: RawReply) => void

export function createDispatch(app: ServedApplication): Dispatch {
  const { rewriteUrl } = app.options

  return function dispatch(raw, response) {
    try {
      route(raw, response)
    } catch (error) {
      answerFailure(app, error, raw, response)
    }
  }

  function route(raw: RawRequest, response: RawReply): void {
    if (rewriteUrl) {
      raw.originalUrl = raw.url as string
      const url = rewriteUrl.call(app.root, raw)
      if (typeof url === 'string') raw.url = url
      else raw.destroy(new errorCodes.FST_ERR_ROUTE_REWRITE_NOT_STR(raw.url, typeof url))
    }
    const { router } = app
    if (!router.constrainer.isAsync) {
      router.lookup(raw, response)
      return
    }
    router.lookup(raw, response, (error: unknown) => {
      if (!error) return
      try {
        answerConstraintError(app, raw, response)
      } catch (failure) {
        answerFailure(app, failure, raw, response)
      }
    })
  }
}

/** Answers an error that was thrown before the request object was created. */
function answerFailure(
  app: ServedApplication,
  error: unknown,
  raw: RawRequest,
  response: RawReply,
): void {
  const { line, logger } = app
  const request = new line.Request('', null, raw, null, logger, createRoute(app))
  guard(sendRejected, error, request, new line.Reply(response, request, logger))
}

/** Answers a malformed URL. */
export function answerBadUrl(
  app: ServedApplication,
  path: string,
  raw: RawRequest,
  response: RawReply,
): void {
  const message = `'${path}' is not a valid url component`
  const payload = { error: 'Bad Request', code: 'FST_ERR_BAD_URL', message, statusCode: 400 }
  refuse(app, () => new errorCodes.FST_ERR_BAD_URL(path), raw, response, payload)
}

function answerConstraintError(app: ServedApplication, raw: RawRequest, response: RawReply): void {
  const message = 'Unexpected error from async constraint'
  const payload = { error: 'Internal Server Error', message, statusCode: 500 }
  refuse(app, () => new errorCodes.FST_ERR_ASYNC_CONSTRAINT(), raw, response, payload)
}

/** Answers a request without a route: calls the factory option `frameworkErrors`. Without that option, sends the payload. */
export function refuse(
  app: ServedApplication,
  createFailure: () => Failure,
  raw: RawRequest,
  response: RawReply,
  payload: Payload,
): void {
  const { logging, options } = app
  if (!options.frameworkErrors) return endWithJson(response, payload)
  const error = createFailure()
  const reply = createReply(app, createRoute(app), raw, response)
  logging.incomingRequest(reply.request, reply)
  guard(callFrameworkErrors, error, reply.request, reply)

  function callFrameworkErrors(_error: unknown, request: Request, reply: Reply): void {
    sendRejection(options.frameworkErrors?.(error, request, reply), reply)
  }
}

/** Creates the reply to a request that the router has found no route for. */
export function createReply(
  { line, logger }: ServedApplication,
  route: RouteContext,
  raw: RawRequest,
  response: RawReply,
): Reply {
  const id = route.genReqId.call(route.server, raw)
  const log = createChildLogger(route, logger, raw, id)
  return new line.Reply(response, new line.Request(id, null, raw, null, log, route), log)
}

/** Creates a route with the defaults of a new application, without the user's handlers. */
function createRoute({ root }: ServedApplication): RouteContext {
  const childLoggerFactory = defaultChildLoggerFactory
  const route = new RouteContext(root, { handler: noop, childLoggerFactory }, {})
  route.errorHandler = rootErrorHandler
  return route
}

interface Payload {
  readonly error: string
  readonly message: string
  readonly statusCode: number
}

export function endWithJson(response: RawReply, payload: Payload): void {
  const body = JSON.stringify(payload)
  response.writeHead(payload.statusCode, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

function noop(): void {}
