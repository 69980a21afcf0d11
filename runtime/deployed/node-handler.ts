import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBoot } from '../adapter/hosted/boot.ts'
import type { Application } from './application.ts'

/** Google's Functions Framework reads the body itself, and stores it in `rawBody`. */
interface ReadMessage extends IncomingMessage {
  readonly rawBody?: Uint8Array
}

/** Returns a function that platforms call with a request and a response of node:http. */
export function toNodeHandler(
  app: Application,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const boot = createBoot(app)
  return async (request, response) => {
    const booting = boot()
    if (booting !== undefined) await booting
    const raw = request.readableEnded ? unread(request) : request
    app.routing(raw as never, response as never)
  }
}

/** Properties that a request gets when it is parsed. */
const COPIED = [
  'method',
  'url',
  'headers',
  'rawHeaders',
  'trailers',
  'rawTrailers',
  'httpVersion',
  'httpVersionMajor',
  'httpVersionMinor',
  'complete',
] as const

/** Copies a request whose body has been read, so that the application can read it again. */
function unread(request: ReadMessage): IncomingMessage {
  const { IncomingMessage } = process.getBuiltinModule('node:http')
  const { rawBody } = request
  const fresh = new IncomingMessage(request.socket)
  for (const name of COPIED) Object.assign(fresh, { [name]: request[name] })
  if (rawBody !== undefined) fresh.push(rawBody)
  fresh.push(null)
  request.once('aborted', () => fresh.emit('aborted'))
  return fresh
}
