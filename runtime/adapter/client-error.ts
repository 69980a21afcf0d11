import type { Socket } from 'node:net'
import { reasonPhrases } from '../errors/reason-phrases.ts'
import { isThenable } from '../serve/hook-runners.ts'
import { logFailure } from '../serve/logger.ts'
import type { Instance } from '../serve/model.ts'

interface ParseError extends Error {
  code?: string
}

const answers: Record<string, readonly [statusCode: number, message: string, label: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Client Timeout', 'timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Exceeded maximum allowed HTTP header size', 'header_overflow'],
}

type ClientErrorHandler = (this: Instance, error: ParseError, socket: Socket) => unknown
type ClientErrorListener = (error: ParseError, socket: Socket) => void

/** Creates the listener for `clientError`. If the handler fails, it closes the connection. */
export function createClientErrorListener(
  instance: Instance,
  handler: ClientErrorHandler = handleClientError,
): ClientErrorListener {
  const handle = handler.bind(instance)
  return (error, socket) => {
    try {
      const result = handle(error, socket)
      if (isThenable(result)) result.then(undefined, fail)
    } catch (failure) {
      fail(failure)
    }

    function fail(failure: unknown): void {
      logFailure(instance.log, failure, 'the handler of client errors failed')
      socket.destroy()
    }
  }
}

/** The default `clientErrorHandler`: answers a request that Node rejects, and closes the connection. */
function handleClientError(this: Instance, error: ParseError, socket: Socket): void {
  // A reset connection can't be answered.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [statusCode, message, label] = answers[error.code ?? ''] ?? [400, 'Client Error', 'error']
  const reason = reasonPhrases[statusCode]
  const body = `{"error":"${reason}","message":"${message}","statusCode":${statusCode}}`
  this.log.trace({ err: error }, `client ${label}`)
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${statusCode} ${reason}\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}
