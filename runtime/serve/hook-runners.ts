/** Runs the hooks of one kind in order: each continues by callback or by promise, and an error ends the run. */
import { errorCodes } from '../errors/index.ts'
import { keepAlive } from './exchange.ts'
import { resume, type Step } from './guard.ts'
import type { Hook, Instance, Reply, Request } from './model.ts'
import { holdErrors } from './streams.ts'
import { kPayloadStream } from './symbols.ts'

/** Continues with the next hook. Some kinds of hooks pass on a replacement, for the payload for example. */
type Next = (error?: unknown, replacement?: unknown) => void

/** How a kind of hooks is run. */
interface Run {
  call(hook: Hook, next: Next, payload: unknown): unknown
  /** Called after the last hook, or with the error of one. */
  readonly done: Step
  /** True to stop without calling `done` if a hook continues after the reply was sent. */
  readonly stopsWhenSent: boolean
  /** True if `done` gets `null` for falsy errors that a hook calls back with, as Fastify's payload hooks do. */
  readonly ignoresFalsy?: boolean
  /** Called when a hook passes on a replacement of the payload. */
  onReplace?(payload: unknown): void
}

/**
 * Runs `onRequest`, `preValidation`, `preHandler`, `onTimeout` and `onResponse` hooks: `(request, reply, done)`.
 *
 * @param stopsWhenSent false for `onResponse`
 */
export function runHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
  stopsWhenSent = true,
): void {
  const call: Run['call'] = (hook, next) => hook.call(server, request, reply, next)
  run(hooks, request, reply, { call, done, stopsWhenSent })
}

/**
 * Runs `preSerialization` and `onSend` hooks: `(request, reply, payload, done)`. Each may replace the payload. `onError` hooks get the
 * error in its place.
 */
export function runPayloadHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  payload: unknown,
  done: Step,
): void {
  const call: Run['call'] = (hook, next, current) =>
    hook.call(server, request, reply, current, next)
  run(hooks, request, reply, { call, done, stopsWhenSent: false, ignoresFalsy: true }, payload)
}

/** Runs `preParsing` hooks: `(request, reply, stream, done)`. Each may replace the stream that the body is read from. */
export function runParsingHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  run(hooks, request, reply, {
    call: (hook, next) => hook.call(server, request, reply, request[kPayloadStream], next),
    done,
    stopsWhenSent: true,
    onReplace(replacement) {
      request[kPayloadStream] = replacement as NodeJS.ReadableStream
    },
  })
}

/** Runs `onRequestAbort` hooks: `(request, done)`. */
export function runAbortHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  run(hooks, request, reply, {
    call: (hook, next) => hook.call(server, request, next),
    done,
    stopsWhenSent: false,
  })
}

function run(
  hooks: readonly Hook[],
  request: Request,
  reply: Reply,
  { call, done, stopsWhenSent, ignoresFalsy, onReplace }: Run,
  payload?: unknown,
): void {
  let i = 0
  next()

  function next(error?: unknown, replacement?: unknown): void {
    // The request itself doesn't throw its errors.
    if (replacement !== undefined && replacement !== request.raw) holdErrors(replacement, reply)
    if (stopsWhenSent && reply.sent) return
    if (!error && replacement !== undefined) {
      payload = replacement
      onReplace?.(replacement)
    }
    if (error || i === hooks.length) {
      resume(done, ignoresFalsy ? error || null : error, request, reply, payload)
      return
    }
    try {
      const result = call(hooks[i++] as Hook, next, payload)
      if (isThenable(result)) {
        const continued = result.then(
          (value) => next(null, value),
          (reason) => {
            const failure = reason || new errorCodes.FST_ERR_SEND_UNDEFINED_ERR()
            resume(done, failure, request, reply, payload)
          },
        )
        keepAlive(reply.raw, continued)
      }
    } catch (thrown) {
      resume(done, thrown, request, reply)
    }
  }
}

/** Returns whether a hook or handler returned a promise, of any library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== undefined &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}
