import { errorCodes } from '../errors/index.ts'
import { resume, type Step } from './guard.ts'
import type { Hook, Instance, Reply, Request } from './model.ts'
import { holdErrors, isStream } from './streams.ts'
import { kPayloadStream } from './symbols.ts'

/**
 * Runs hooks of the form `(request, reply, done)`, one after the other, and then `done`, or with the error that ended
 * them. Stops without a call of `done` when a hook has answered.
 */
export function runHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  run(hooks, server, request, reply, done, true)
}

/** Runs `onResponse` hooks: as `runHooks`, after the reply was sent. */
export function runResponseHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  run(hooks, server, request, reply, done, false)
}

function run(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
  stopsWhenSent: boolean,
): void {
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      resume(done, error, request, reply)
      return
    }
    if (stopsWhenSent && reply.sent) return
    try {
      const result = (hooks[i++] as Hook).call(server, request, reply, next)
      if (isThenable(result)) {
        result.then(
          () => next(),
          (reason) => resume(done, orUndefinedError(reason), request, reply),
        )
      }
    } catch (thrown) {
      resume(done, thrown, request, reply)
    }
  }
}

/**
 * Runs hooks of the form `(request, reply, payload, done)`; each may replace the payload. `onError` runs so
 * as well, with the error for a payload.
 */
export function runPayloadHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  payload: unknown,
  done: Step,
): void {
  let i = 0
  next()

  function next(error?: unknown, replacement?: unknown): void {
    if (error) {
      resume(done, error, request, reply, payload)
      return
    }
    if (replacement !== undefined) payload = replacement
    if (i === hooks.length) {
      resume(done, null, request, reply, payload)
      return
    }
    try {
      const result = (hooks[i++] as Hook).call(server, request, reply, payload, next)
      if (isThenable(result)) {
        result.then(
          (value) => next(null, value),
          (reason) => resume(done, orUndefinedError(reason), request, reply, payload),
        )
      }
    } catch (thrown) {
      resume(done, thrown, request, reply)
    }
  }
}

/** Runs `preParsing` hooks; each may replace the stream that the body is read from. */
export function runParsingHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  let i = 0
  next()

  function next(error?: unknown, replacement?: unknown): void {
    if (reply.sent) return
    if (replacement !== undefined) {
      request[kPayloadStream] = replacement as NodeJS.ReadableStream
    }
    if (error || i === hooks.length) {
      resume(done, error, request, reply)
      return
    }
    if (replacement && isStream(replacement)) holdErrors(replacement)
    try {
      const result = (hooks[i++] as Hook).call(
        server,
        request,
        reply,
        request[kPayloadStream],
        next,
      )
      if (isThenable(result)) {
        result.then(
          (value) => next(null, value),
          (reason) => resume(done, orUndefinedError(reason), request, reply),
        )
      }
    } catch (thrown) {
      resume(done, thrown, request, reply)
    }
  }
}

/** Runs `onRequestAbort` hooks, which get no reply. */
export function runAbortHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: Step,
): void {
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      resume(done, error, request, reply)
      return
    }
    try {
      const result = (hooks[i++] as Hook).call(server, request, next)
      if (isThenable(result)) {
        result.then(
          () => next(),
          (reason) => resume(done, orUndefinedError(reason), request, reply),
        )
      }
    } catch (thrown) {
      resume(done, thrown, request, reply)
    }
  }
}

/** Whether a hook or handler answered with a promise, of whatever library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== undefined &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

function orUndefinedError(reason: unknown): unknown {
  return reason || new errorCodes.FST_ERR_SEND_UNDEFINED_ERR()
}
