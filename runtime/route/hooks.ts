/** Combines the hooks of a context with those of a route. */
import type { Context } from '../context/index.ts'
import { lifecycleHooks, type LifecycleHook } from '../context/hooks.ts'
import type { Hook, RouteOptions } from '../serve/model.ts'
import type { RouteContext } from '../serve/route-context.ts'

/** Options that may have hooks: single ones or lists. */
export type HookOptions = Readonly<
  Partial<Record<LifecycleHook, unknown>> & Record<string, unknown>
>

/** Sets the hooks of a route: those of its context, then its own. `null` for none. Called when all hooks are declared. */
export function setHooks(route: RouteContext, { hooks }: Context, options: HookOptions): void {
  for (const name of lifecycleHooks) {
    const routeHooks = options[name] as Hook | readonly Hook[] | null | undefined
    const all = routeHooks ? hooks[name].concat(routeHooks) : hooks[name]
    route[name] = all.length === 0 ? null : all
  }
}

/** Copies options with their lists of hooks, because an application may change both after the start, which must have no effect. */
export function copyWithHooks(options: RouteOptions): RouteOptions {
  const copy = { ...options }
  for (const name of lifecycleHooks) {
    const hooks = copy[name]
    if (Array.isArray(hooks)) copy[name] = hooks.slice()
  }
  return copy
}
