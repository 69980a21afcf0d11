import type { Readable } from 'node:stream'
import type { Hook, Reply, RouteOptions } from '../serve/model.ts'
import { bodyOf, isWebPayload, isWebStream, toNodeStream } from '../serve/reply/web-payload.ts'
import { forbidsContent } from '../serve/reply/write-payload.ts'

/** Returns the `onSend` hooks of an automatic HEAD route: the last one drops the payload, and sets its length if that is known. */
export function headOnSend(routeHooks: RouteOptions['onSend']): Hook | Hook[] {
  if (routeHooks === undefined || routeHooks === null) return headRouteOnSendHandler as Hook
  return ([] as Hook[]).concat(routeHooks as Hook[], headRouteOnSendHandler as Hook)
}

function headRouteOnSendHandler(
  _request: unknown,
  reply: Reply,
  payload: unknown,
  done: (error: null, payload: null) => void,
): void {
  const onError = (error: unknown): void =>
    reply.log.error({ err: error }, 'Error on Stream found for HEAD route')
  if (isWebStream(payload) && (!payload.locked || forbidsContent(reply.statusCode))) {
    if (!payload.locked) payload.cancel('Stream cancelled by HEAD route').catch(onError)
    done(null, null)
    return
  }
  const body = isWebPayload(payload) ? bodyOf(reply, payload) : payload
  const isWeb = isWebStream(body)
  const content = isWeb ? toNodeStream(body, reply) : body
  if (content === undefined || content === null) {
    reply.header('content-length', '0')
  } else if (typeof (content as NodeJS.ReadableStream).resume === 'function') {
    const stream = content as NodeJS.ReadableStream
    stream.on('error', onError)
    if (isWeb) (stream as Readable).destroy()
    else stream.resume()
  } else {
    reply.header('content-length', `${Buffer.byteLength(content as string | Buffer)}`)
  }
  done(null, null)
}
