import type { Context } from './context.ts'
import { lifecycleHooks, type LifecycleHook } from './hooks.ts'
import type { Hook } from './model.ts'
import type { RouteContext } from './route-context.ts'

type HookSlots = Readonly<Record<LifecycleHook, readonly Hook[] | null>>

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

/** Fills the hook slots of a route: those of its context, then its own. */
export function setHooks(
  route: RouteContext,
  slots: HookSlots,
  options: { readonly [more: string]: unknown },
): void {
  for (const name of lifecycleHooks) {
    const own = options[name] as Hook | Hook[] | null | undefined
    route[name] = own ? (slots[name] ?? []).concat(own) : slots[name]
    if (route[name]?.length === 0) route[name] = null
  }
}
