/** The reply of Fastify 4.21, with the members that Fastify 5 added. */
import { errorCodes } from '../../errors/index.ts'
import { emitWarning } from '../../errors/warnings.ts'
import { createAddedMembers } from '../../serve/fastify-5/added-members.ts'
import { fastify5Reply } from '../../serve/fastify-5/reply.ts'
import type { RawReply, Reply as ReplyShape, ReplyClass, Request } from '../../serve/model.ts'
import { createReplyClass } from '../../serve/reply/index.ts'
import { elapsedTimeOf } from '../../serve/logger.ts'
import type { RouteContext } from '../../serve/route-context.ts'
import { kReplyHasStatusCode, kReplyHijacked, kRoute } from '../../serve/symbols.ts'

class Members {
  declare raw: RawReply
  declare request: Request
  declare [kReplyHijacked]: boolean
  declare [kReplyHasStatusCode]: boolean
  declare header: ReplyShape['header']

  /** @deprecated */
  get context(): RouteContext {
    return this.request[kRoute]
  }

  get sent(): boolean {
    return this[kReplyHijacked] || this.raw.writableEnded === true
  }

  /** @deprecated Use `hijack()`. */
  set sent(value: boolean) {
    emitWarning('FSTDEP010')
    if (value !== true) throw new errorCodes.FST_ERR_REP_SENT_VALUE()
    if (this.sent && this[kReplyHijacked]) {
      throw new errorCodes.FST_ERR_REP_ALREADY_SENT(this.request.url, this.request.method)
    }
    this[kReplyHijacked] = true
  }

  /** `redirect(url)`, `redirect(code, url)`, and `redirect(url, code)` of Fastify 5. */
  redirect(codeOrUrl: number | string, urlOrCode?: string | number): ReplyShape {
    if (typeof codeOrUrl !== 'string') {
      return this.header('location', urlOrCode).code(codeOrUrl).send()
    }
    const status = this[kReplyHasStatusCode] ? this.raw.statusCode : 302
    const code = typeof urlOrCode === 'number' ? urlOrCode : status
    return this.header('location', codeOrUrl).code(code).send()
  }

  /** Milliseconds since the request arrived. 0 if there is neither a logger nor an `onResponse` hook. */
  getResponseTime(): number {
    return elapsedTimeOf(this as unknown as ReplyShape)
  }
}

Object.setPrototypeOf(Members.prototype, createAddedMembers(fastify5Reply))
export const Reply: ReplyClass = createReplyClass(Members.prototype)
