import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBoot } from '../adapter/hosted/serve.ts'
import type { Deployed } from './application.ts'

/** Google's Functions Framework has read the body by then, and left its bytes there. */
interface ReadMessage extends IncomingMessage {
  readonly rawBody?: Uint8Array
}

/** Makes the function that platforms call with a request and a response of node:http. */
export function toNodeHandler(
  app: Deployed,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const boot = createBoot(app)
  return async (request, response) => {
    const booting = boot()
    if (booting !== undefined) await booting
    const raw = request.readableEnded ? unread(request) : request
    app.routing(raw as never, response as never)
  }
}

/** What a request is but for its body. */
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

/** A request whose body is still to be read, with the bytes of one that has been read. */
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
