/** The reply of Fastify 5. */
import { fastify5Reply } from '../../serve/fastify-5/reply.ts'
import { releaseSignal } from '../../serve/fastify-5/signal.ts'
import type { RawReply, Reply as ReplyShape, ReplyClass, Request } from '../../serve/model.ts'
import { createReplyClass } from '../../serve/reply/index.ts'
import { kReplyHasStatusCode, kReplyHijacked, kTimeoutTarget } from '../../serve/symbols.ts'

class Members {
  declare raw: RawReply
  declare request: Request & { readonly routeOptions: object }
  declare [kReplyHijacked]: boolean
  declare [kReplyHasStatusCode]: boolean
  declare header: ReplyShape['header']

  get routeOptions(): object {
    return this.request.routeOptions
  }

  /** Leaves the response to the caller, without time limit and `onTimeout` hooks. */
  hijack(): this {
    this[kReplyHijacked] = true
    releaseSignal(this.request)
    const socket = this.request.raw.socket as { [kTimeoutTarget]?: { request: unknown } | null }
    // Not deleted: the socket keeps its listener, and may serve more requests.
    if (socket?.[kTimeoutTarget]?.request === this.request) socket[kTimeoutTarget] = null
    return this
  }

  redirect(url: string, code?: number): ReplyShape {
    const status = this[kReplyHasStatusCode] ? this.raw.statusCode : 302
    return this.header('location', url)
      .code(code || status)
      .send()
  }
}

Object.setPrototypeOf(Members.prototype, fastify5Reply)

export const Reply: ReplyClass = createReplyClass(Members.prototype)
