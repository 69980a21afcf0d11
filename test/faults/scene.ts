/** The application around a fault: the code before and after it, and its pace. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Done } from './ends.ts'

/** How the functions around a fault end: at once, in a later turn by callback, or by promise. */
export const paces = ['sync', 'later', 'promise'] as const
export type Pace = (typeof paces)[number]

export function proceed(pace: Pace, done: Done, value?: unknown): unknown {
  if (pace === 'sync') return done(null, value)
  if (pace === 'later') return void setImmediate(() => done(null, value))
  return Promise.resolve(value)
}

const plainHooks = ['onRequest', 'preValidation', 'preHandler', 'onResponse'] as const
const payloadHooks = ['preParsing', 'preSerialization', 'onSend'] as const

/** Adds hooks that do nothing at all stages, each at the pace of the scene. */
export function surround(app: FastifyInstance, pace: Pace): void {
  for (const name of plainHooks) {
    app.addHook(
      name as 'onRequest',
      ((_request: FastifyRequest, _reply: FastifyReply, done: Done) =>
        proceed(pace, done)) as never,
    )
  }
  for (const name of payloadHooks) {
    app.addHook(
      name as 'onSend',
      ((_request: FastifyRequest, _reply: FastifyReply, payload: unknown, done: Done) =>
        proceed(pace, done, payload)) as never,
    )
  }
  app.addHook('onError', ((
    _request: FastifyRequest,
    _reply: FastifyReply,
    _error: Error,
    done: Done,
  ) => proceed(pace, done)) as never)
}
