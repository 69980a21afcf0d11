import type { Readable } from 'node:stream'
import type { Hook, Reply, RouteOptions } from '../serve/model.ts'
import { fromWeb, isWebPayload } from '../serve/reply/web-payload.ts'

/** Returns the `onSend` hooks of an automatic HEAD route: the last one replaces the payload by its length. */
export function headOnSend(own: RouteOptions['onSend']): Hook | Hook[] {
  if (own === undefined || own === null) return headRouteOnSendHandler as Hook
  return ([] as Hook[]).concat(own as Hook[], headRouteOnSendHandler as Hook)
}

function headRouteOnSendHandler(
  _request: unknown,
  reply: Reply,
  given: unknown,
  done: (error: null, payload: null) => void,
): void {
  const onError = (error: unknown): void =>
    reply.log.error({ err: error }, 'Error on Stream found for HEAD route')
  if (isWebPayload(given) && 'getReader' in given && !given.locked) {
    given.cancel('Stream cancelled by HEAD route').catch(onError)
    done(null, null)
    return
  }
  const isWeb = isWebPayload(given)
  const payload = isWeb ? fromWeb(reply, given) : given
  if (payload === undefined || payload === null) {
    reply.header('content-length', '0')
  } else if (typeof (payload as NodeJS.ReadableStream).resume === 'function') {
    const stream = payload as NodeJS.ReadableStream
    stream.on('error', onError)
    if (isWeb) (stream as Readable).destroy()
    else stream.resume()
  } else {
    reply.header('content-length', `${Buffer.byteLength(payload as string | Buffer)}`)
  }
  done(null, null)
}
