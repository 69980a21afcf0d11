import type { Socket } from 'node:net'
import type { Instance } from '../serve/model.ts'
import { reasonPhrases } from '../errors/reason-phrases.ts'

interface ParseError extends Error {
  code?: string
}

const answers: Record<string, readonly [statusCode: number, message: string, label: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Client Timeout', 'timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Exceeded maximum allowed HTTP header size', 'header_overflow'],
}

/** The default `clientErrorHandler`: answers what Node could not parse, and closes the connection. */
export function handleClientError(this: Instance, error: ParseError, socket: Socket): void {
  // After a reset there is nobody to answer.
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
