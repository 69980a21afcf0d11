import { errorCodes } from '../errors/index.ts'
import type { Hook } from '../serve/model.ts'

/** Hooks that run for requests. Each route has a list of each. */
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

/** Hooks that run for events of the application. */
const applicationHooks = ['onRoute', 'onRegister', 'onReady', 'preClose', 'onClose'] as const

export const supportedHooks: readonly string[] = [...lifecycleHooks, ...applicationHooks]

export type LifecycleHook = (typeof lifecycleHooks)[number]

/** Hooks that are kept in a list; `onClose` goes to the boot queue instead. */
export type ListedHook =
  | LifecycleHook
  | 'onRoute'
  | 'onRegister'
  | 'onReady'
  | 'onListen'
  | 'preClose'

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
  /** Added by later releases of Fastify. */
  onListen: Hook[] = []
  preClose: Hook[] = []

  add(name: unknown, hook: unknown): void {
    if (typeof name !== 'string') throw new errorCodes.FST_ERR_HOOK_INVALID_TYPE()
    if (!Object.hasOwn(this, name)) throw new errorCodes.FST_ERR_HOOK_NOT_SUPPORTED(name)
    assertHook(name, hook)
    this[name as ListedHook].push(hook)
  }
}

/**
 * Returns the hooks of a new child context: those of its parent, except hooks that each context runs itself.
 */
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
 * Rejects async functions that also take a callback, because they would continue twice.
 *
 * @throws FST_ERR_HOOK_INVALID_ASYNC_HANDLER
 */
export function assertAsyncArity(name: unknown, hook: Hook): void {
  if (hook.constructor.name !== 'AsyncFunction') return
  const takesCallback =
    name === 'onReady' || name === 'onListen'
      ? hook.length !== 0
      : name === 'onRequestAbort'
        ? hook.length !== 1
        : hook.length === (HOOKS_WITH_PAYLOAD.has(name as string) ? 4 : 3)
  if (takesCallback) throw new errorCodes.FST_ERR_HOOK_INVALID_ASYNC_HANDLER()
}
