import { createAddedMembers, decoratorOf } from './added-members.ts'
import type { Reply } from '../model.ts'
import { mediaTypeOf } from './request.ts'

interface Fastify5Reply extends Reply {
  getHeader(name: string): unknown
  getResponseTime(): number
}

type Hints = Readonly<Record<string, string | string[]>>

/** Members of replies that Fastify 5 added. */
export const fastify5Reply: object = createAddedMembers<ThisType<Fastify5Reply>>({
  get elapsedTime(): number {
    return this.getResponseTime()
  },

  get mediaType(): string | undefined {
    return mediaTypeOf(this.getHeader('content-type'))
  },

  getDecorator(name: PropertyKey): unknown {
    return decoratorOf(this, name, 'reply')
  },

  writeEarlyHints(hints: Hints, callback?: () => void): unknown {
    this.raw.writeEarlyHints(hints, callback)
    return this
  },
})
