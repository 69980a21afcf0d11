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

/** The hooks of one context. `onClose` goes to the boot queue instead. `onListen` was added by later releases of Fastify. */
export type Hooks = Record<
  LifecycleHook | 'onRoute' | 'onRegister' | 'onReady' | 'onListen' | 'preClose',
  Hook[]
>

/** Hooks that a child context has as well. The others run for each context. */
const inheritedHooks: readonly (keyof Hooks)[] = [...lifecycleHooks, 'onRoute', 'onRegister']

/** Creates the hooks of a context, with those that it inherits. */
export function createHooks(parent?: Hooks): Hooks {
  const hooks = { onReady: [], onListen: [], preClose: [] } as unknown as Hooks
  for (const name of inheritedHooks) hooks[name] = parent?.[name].slice() ?? []
  return hooks
}

/** @throws FST_ERR_HOOK_* */
export function pushHook(hooks: Hooks, name: unknown, hook: unknown): void {
  if (typeof name !== 'string') throw new errorCodes.FST_ERR_HOOK_INVALID_TYPE()
  if (!Object.hasOwn(hooks, name)) throw new errorCodes.FST_ERR_HOOK_NOT_SUPPORTED(name)
  assertHook(name, hook)
  hooks[name as keyof Hooks].push(hook)
}

/** @throws FST_ERR_HOOK_INVALID_HANDLER */
export function assertHook(name: string, hook: unknown): asserts hook is Hook {
  if (typeof hook === 'function') return
  throw new errorCodes.FST_ERR_HOOK_INVALID_HANDLER(name, Object.prototype.toString.call(hook))
}

const HOOKS_WITH_PAYLOAD = new Set(['onSend', 'preSerialization', 'onError', 'preParsing'])

/**
 * Rejects async functions that also take a callback, because they would continue twice. Like Fastify, it accepts such `onClose` and
 * `preClose` hooks, and rejects async `onRequestAbort` hooks without a parameter.
 *
 * @throws FST_ERR_HOOK_INVALID_ASYNC_HANDLER
 */
export function assertAsyncArity(name: unknown, hook: Hook): void {
  if (hook.constructor.name !== 'AsyncFunction' || !takesCallback(name, hook)) return
  throw new errorCodes.FST_ERR_HOOK_INVALID_ASYNC_HANDLER()
}

function takesCallback(name: unknown, { length }: Hook): boolean {
  if (name === 'onReady' || name === 'onListen') return length !== 0
  if (name === 'onRequestAbort') return length !== 1
  return length === (HOOKS_WITH_PAYLOAD.has(name as string) ? 4 : 3)
}
