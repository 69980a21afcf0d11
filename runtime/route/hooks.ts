/** Combines the hooks of a context with those of a route. */
import type { Context } from '../context/index.ts'
import { lifecycleHooks, type LifecycleHook } from '../context/hooks.ts'
import type { Hook } from '../serve/model.ts'
import type { RouteContext } from '../serve/route-context.ts'

/** Lists of hooks by kind. `null` for none. */
export type HookSlots = Readonly<Record<LifecycleHook, readonly Hook[] | null>>

const slotsOf = new WeakMap<Context, HookSlots>()

/** Returns the hooks of a context. Called when all hooks are declared. */
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

/** Options that may have hooks: single ones or lists. */
export type HookOptions = Readonly<
  Partial<Record<LifecycleHook, unknown>> & Record<string, unknown>
>

/** Sets the hooks of a route: those of its context, then its own. */
export function setHooks(route: RouteContext, slots: HookSlots, options: HookOptions): void {
  for (const name of lifecycleHooks) route[name] = hooksFor(name, slots, options)
}

/** Returns the hooks of one kind: those of the context, then the route's own. */
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

/** Appends a hook. All routes that add the same one share the list, as HEAD routes do. */
function append(hooks: readonly Hook[] | null, hook: Hook): readonly Hook[] {
  const first = hooks ?? NONE
  let lists = appended.get(first)
  if (lists === undefined) appended.set(first, (lists = new WeakMap()))
  let list = lists.get(hook)
  if (list === undefined) lists.set(hook, (list = [...first, hook]))
  return list
}
