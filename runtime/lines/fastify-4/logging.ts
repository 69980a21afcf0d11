import { elapsedTimeOf } from '../../serve/reply/on-finish.ts'
import type { RequestLogging } from '../../serve/line/index.ts'
import type { Failure } from '../../serve/model.ts'

interface Options {
  readonly disableRequestLogging: boolean
  readonly requestIdLogLabel: string
}

/** Logs as Fastify 4.21. `disableRequestLogging` only concerns requests that are served. */
export function createLogging(options: object): RequestLogging {
  const { disableRequestLogging: isQuiet, requestIdLogLabel } = options as Options
  return {
    requestIdLogLabel,
    incomingRequest(request) {
      if (!isQuiet) request.log.info({ req: request }, 'incoming request')
    },
    requestCompleted(error, _request, reply) {
      if (isQuiet) return
      const responseTime = elapsedTimeOf(reply)
      if (error !== null && error !== undefined) {
        reply.log.error({ res: reply, err: error, responseTime }, 'request errored')
      } else {
        reply.log.info({ res: reply, responseTime }, 'request completed')
      }
    },
    defaultErrorLog(error, request, reply) {
      const message = error && (error as Failure).message
      if (reply.statusCode < 500) reply.log.info({ res: reply, err: error }, message)
      else reply.log.error({ req: request, res: reply, err: error }, message)
    },
    streamError(error, _request, reply) {
      if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        reply.log.warn(
          { err: error },
          'response terminated with an error with headers already sent',
        )
      } else if (!isQuiet) {
        reply.log.info({ res: reply.raw }, 'stream closed prematurely')
      }
    },
    routeNotFound({ log, raw }) {
      log.info(`Route ${raw.method}:${raw.url} not found`)
    },
    writeHeadError(error, request, reply) {
      reply.log.warn(
        { req: request, res: reply, err: error },
        error ? (error as Error).message : undefined,
      )
    },
    serializerError(error, _request, reply, { statusCode }) {
      reply.log.error({ err: error, statusCode }, 'The serializer for the given status code failed')
    },
    serviceUnavailable(log) {
      log.info(
        { res: { statusCode: 503 } },
        'request aborted - refusing to accept new requests as server is closing',
      )
    },
  }
}
