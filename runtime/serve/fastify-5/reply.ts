import { decoratorOf } from './added-members.ts'
import type { Reply } from '../model.ts'
import { baseReply } from '../reply/index.ts'
import { elapsedTimeOf } from '../logger.ts'
import { mediaTypeOf } from './request.ts'

interface Fastify5Reply extends Reply {
  getHeader(name: string): unknown
}

type Hints = Readonly<Record<string, string | string[]>>

const members: ThisType<Fastify5Reply> = {
  get elapsedTime(): number {
    return elapsedTimeOf(this)
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
}

/** Members of replies of Fastify 5 that 4.21 lacks. */
export const fastify5Reply: object = Object.setPrototypeOf(members, baseReply) as object
