import type { Context } from './context.ts'
import { lifecycleHooks, type LifecycleHook } from './hooks.ts'
import type { Hook } from './model.ts'
import type { RouteContext } from './route-context.ts'

/** The lists of hooks that routes hold; `null` for none. */
export type HookSlots = Readonly<Record<LifecycleHook, readonly Hook[] | null>>

const slotsOf = new WeakMap<Context, HookSlots>()

/** The hooks of a context as routes hold them; made once, when all hooks are declared. */
export function hooksOf(context: Context): HookSlots {
  let slots = slotsOf.get(context)
  if (slots === undefined) {
    const own = {} as Record<LifecycleHook, readonly Hook[] | null>
    for (const name of lifecycleHooks) {
      const hooks = context.hooks[name]
      own[name] = hooks.length === 0 ? null : hooks
    }
    slotsOf.set(context, (slots = own))
  }
  return slots
}

/** Options that may hold hooks, each one hook or a list. */
export type HookOptions = Readonly<
  Partial<Record<LifecycleHook, unknown>> & Record<string, unknown>
>

/**
 * Whether a route has hooks of its own. Few have, and properties that are named in the code are much cheaper
 * to read than a list of names, ten times for each route of a starting application.
 */
export function hasHooks(options: HookOptions): boolean {
  return (
    options.onRequest !== undefined ||
    options.preParsing !== undefined ||
    options.preValidation !== undefined ||
    options.preHandler !== undefined ||
    options.preSerialization !== undefined ||
    options.onSend !== undefined ||
    options.onResponse !== undefined ||
    options.onError !== undefined ||
    options.onTimeout !== undefined ||
    options.onRequestAbort !== undefined
  )
}

/** Fills the hook slots of a route: those of its context, then its own. */
export function setHooks(route: RouteContext, slots: HookSlots, options: HookOptions): void {
  if (!hasHooks(options)) {
    route.onRequest = slots.onRequest
    route.preParsing = slots.preParsing
    route.preValidation = slots.preValidation
    route.preHandler = slots.preHandler
    route.preSerialization = slots.preSerialization
    route.onSend = slots.onSend
    route.onResponse = slots.onResponse
    route.onError = slots.onError
    route.onTimeout = slots.onTimeout
    route.onRequestAbort = slots.onRequestAbort
    return
  }
  for (const name of lifecycleHooks) route[name] = hooksFor(name, slots, options)
}

/** The hooks of one kind of a route: those of its context, then its own. */
export function hooksFor(
  name: LifecycleHook,
  slots: HookSlots,
  options: HookOptions,
): readonly Hook[] | null {
  const own = options[name] as Hook | readonly Hook[] | null | undefined
  if (!own) return slots[name]
  if (typeof own === 'function') return append(slots[name], own)
  return own.length > 0 ? (slots[name] ?? NONE).concat(own) : slots[name]
}

const NONE: readonly Hook[] = []
const appended = new WeakMap<readonly Hook[], WeakMap<Hook, readonly Hook[]>>()

/** The hooks of a context and one more; a single list for all routes that add the same one, as HEAD routes do. */
function append(hooks: readonly Hook[] | null, hook: Hook): readonly Hook[] {
  const first = hooks ?? NONE
  let lists = appended.get(first)
  if (lists === undefined) appended.set(first, (lists = new WeakMap()))
  let list = lists.get(hook)
  if (list === undefined) lists.set(hook, (list = [...first, hook]))
  return list
}
