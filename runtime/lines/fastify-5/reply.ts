/** The reply of Fastify 5. */
import { decoratorOf } from '../../serve/fastify-5/added-members.ts'
import type { RawReply, Reply as ReplyShape, ReplyClass, Request } from '../../serve/model.ts'
import { BaseReply, createReplyClass } from '../../serve/reply/index.ts'
import { elapsedTimeOf } from '../../serve/reply/on-finish.ts'
import { kReplyHasStatusCode, kReplyHijacked, kTimeoutTarget } from '../../serve/symbols.ts'
import { parseContentType } from './content-type.ts'
import { release } from './signal.ts'

class Members {
  declare raw: RawReply
  declare request: Request & { readonly routeOptions: object }
  declare [kReplyHijacked]: boolean
  declare [kReplyHasStatusCode]: boolean
  declare header: ReplyShape['header']
  declare getHeader: (name: string) => unknown

  get elapsedTime(): number {
    return elapsedTimeOf(this as unknown as ReplyShape)
  }

  get mediaType(): string | undefined {
    return parseContentType(this.getHeader('content-type'))?.mediaType
  }

  get routeOptions(): object {
    return this.request.routeOptions
  }

  getDecorator(name: PropertyKey): unknown {
    return decoratorOf(this, name, 'reply')
  }

  writeEarlyHints(hints: Readonly<Record<string, string | string[]>>, callback?: () => void): this {
    this.raw.writeEarlyHints(hints, callback)
    return this
  }

  /** Leaves the response to the caller, who has no time limit. */
  hijack(): this {
    this[kReplyHijacked] = true
    release(this.request)
    const socket = this.request.raw.socket as { [kTimeoutTarget]?: { request: unknown } } | null
    if (socket?.[kTimeoutTarget]?.request === this.request) delete socket[kTimeoutTarget]
    return this
  }

  redirect(url: string, code?: number): ReplyShape {
    const known = this[kReplyHasStatusCode] ? this.raw.statusCode : 302
    return this.header('location', url)
      .code(code || known)
      .send()
  }
}

Object.setPrototypeOf(Members.prototype, BaseReply.prototype)

export const Reply: ReplyClass = createReplyClass(Members.prototype)
