import { errorCodes } from './errors.ts'
import type { Hook, Instance, Reply, Request } from './model.ts'
import { kPayloadStream } from './symbols.ts'

/** Hooks that run for requests; a route holds a list of each. */
export const lifecycleHooks = [
  'onTimeout',
  'onRequest',
  'preParsing',
  'preValidation',
  'preSerialization',
  'preHandler',
  'onSend',
  'onResponse',
  'onError',
  'onRequestAbort',
] as const

/** Hooks that run for what happens to the application. */
const applicationHooks = ['onRoute', 'onRegister', 'onReady', 'preClose', 'onClose'] as const

export const supportedHooks: readonly string[] = [...lifecycleHooks, ...applicationHooks]

export type LifecycleHook = (typeof lifecycleHooks)[number]

/** Hooks that are kept in a list; `onClose` goes to the boot queue instead. */
export type ListedHook = LifecycleHook | 'onRoute' | 'onRegister' | 'onReady' | 'preClose'

/** Called when a list of hooks is done, or with the error that ended it. */
export type HooksDone = (error: unknown, request: Request, reply: Reply) => void
export type PayloadHooksDone = (
  error: unknown,
  request: Request,
  reply: Reply,
  payload?: unknown,
) => void

/** The hooks of one context. */
export class Hooks {
  onRequest: Hook[] = []
  preParsing: Hook[] = []
  preValidation: Hook[] = []
  preSerialization: Hook[] = []
  preHandler: Hook[] = []
  onSend: Hook[] = []
  onResponse: Hook[] = []
  onError: Hook[] = []
  onTimeout: Hook[] = []
  onRequestAbort: Hook[] = []
  onRoute: Hook[] = []
  onRegister: Hook[] = []
  onReady: Hook[] = []
  preClose: Hook[] = []

  add(name: unknown, hook: unknown): void {
    if (typeof name !== 'string') throw new errorCodes.FST_ERR_HOOK_INVALID_TYPE()
    if (!Object.hasOwn(this, name)) throw new errorCodes.FST_ERR_HOOK_NOT_SUPPORTED(name)
    assertHook(name, hook)
    this[name as ListedHook].push(hook)
  }
}

/** What a child context starts with: all of its parent's hooks but those that every context runs itself. */
export function inheritHooks(parent: Hooks): Hooks {
  const hooks = new Hooks()
  for (const name of lifecycleHooks) hooks[name] = parent[name].slice()
  hooks.onRoute = parent.onRoute.slice()
  hooks.onRegister = parent.onRegister.slice()
  return hooks
}

/** @throws FST_ERR_HOOK_INVALID_HANDLER */
export function assertHook(name: string, hook: unknown): asserts hook is Hook {
  if (typeof hook === 'function') return
  throw new errorCodes.FST_ERR_HOOK_INVALID_HANDLER(name, Object.prototype.toString.call(hook))
}

const HOOKS_WITH_PAYLOAD = new Set(['onSend', 'preSerialization', 'onError', 'preParsing'])

/**
 * Refuses async functions that also take a callback: they would continue twice.
 *
 * @throws FST_ERR_HOOK_INVALID_ASYNC_HANDLER
 */
export function assertAsyncArity(name: unknown, hook: Hook): void {
  if (hook.constructor.name !== 'AsyncFunction') return
  const takesCallback =
    name === 'onReady'
      ? hook.length !== 0
      : name === 'onRequestAbort'
        ? hook.length !== 1
        : hook.length === (HOOKS_WITH_PAYLOAD.has(name as string) ? 4 : 3)
  if (takesCallback) throw new errorCodes.FST_ERR_HOOK_INVALID_ASYNC_HANDLER()
}

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
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      done(error, request, reply)
      return
    }
    if (reply.sent) return
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

/** Runs `onResponse` hooks: as `runHooks`, after the reply was sent. */
export function runResponseHooks(
  hooks: readonly Hook[],
  server: Instance,
  request: Request,
  reply: Reply,
  done: HooksDone,
): void {
  let i = 0
  next()

  function next(error?: unknown): void {
    if (error || i === hooks.length) {
      done(error, request, reply)
      return
    }
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
