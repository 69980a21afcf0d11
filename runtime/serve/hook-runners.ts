import { errorCodes } from '../errors/index.ts'
import type { Hook, Instance, Reply, Request } from './model.ts'
import { kPayloadStream } from './symbols.ts'

/** Called when a list of hooks is done, or with the error that ended it. */
export type HooksDone = (error: unknown, request: Request, reply: Reply) => void
export type PayloadHooksDone = (
  error: unknown,
  request: Request,
  reply: Reply,
  payload?: unknown,
) => void

/**
 * Runs hooks of the form `(request, reply, done)`, one after the other. Stops without a call of `done` when
 * a hook has answered.
 */
export function runHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: HooksDone,
): void {
  run(hooks, server, request, reply, done, true)
}

/** Runs `onResponse` hooks: as `runHooks`, after the reply was sent. */
export function runResponseHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: HooksDone,
): void {
  run(hooks, server, request, reply, done, false)
}

function run(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: HooksDone,
  stopsWhenSent: boolean,
): void {
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      done(error, request, reply)
      return
    }
    if (stopsWhenSent && reply.sent) return
    let result: unknown
    try {
      result = (hooks[i++] as Hook).call(server, request, reply, next)
    } catch (thrown) {
      done(thrown, request, reply)
      return
    }
    if (isThenable(result)) {
      result.then(
        () => next(),
        (reason) => done(orUndefinedError(reason), request, reply),
      )
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
  done: PayloadHooksDone,
): void {
  let i = 0
  next()

  function next(error?: unknown, replacement?: unknown): void {
    if (error) {
      done(error, request, reply, payload)
      return
    }
    if (replacement !== undefined) payload = replacement
    if (i === hooks.length) {
      done(null, request, reply, payload)
      return
    }
    let result: unknown
    try {
      result = (hooks[i++] as Hook).call(server, request, reply, payload, next)
    } catch (thrown) {
      done(thrown, request, reply)
      return
    }
    if (isThenable(result)) {
      result.then(
        (value) => next(null, value),
        (reason) => done(orUndefinedError(reason), request, reply, payload),
      )
    }
  }
}

/** Runs `preParsing` hooks; each may replace the stream that the body is read from. */
export function runParsingHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: HooksDone,
): void {
  let i = 0
  next()

  function next(error?: unknown, replacement?: unknown): void {
    if (reply.sent) return
    if (replacement !== undefined) {
      request[kPayloadStream] = replacement as NodeJS.ReadableStream
    }
    if (error || i === hooks.length) {
      done(error, request, reply)
      return
    }
    let result: unknown
    try {
      result = (hooks[i++] as Hook).call(server, request, reply, request[kPayloadStream], next)
    } catch (thrown) {
      done(thrown, request, reply)
      return
    }
    if (isThenable(result)) {
      result.then(
        (value) => next(null, value),
        (reason) => done(orUndefinedError(reason), request, reply),
      )
    }
  }
}

/** Runs `onRequestAbort` hooks, which get no reply. */
export function runAbortHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  done: (error: unknown) => void,
): void {
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      done(error)
      return
    }
    let result: unknown
    try {
      result = (hooks[i++] as Hook).call(server, request, next)
    } catch (thrown) {
      done(thrown)
      return
    }
    if (isThenable(result)) {
      result.then(
        () => next(),
        (reason) => done(orUndefinedError(reason)),
      )
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
