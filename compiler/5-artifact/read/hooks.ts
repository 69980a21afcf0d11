import type { Manifest, ManifestContext, ManifestHook } from '../manifest.ts'
import type { Route } from './schemas.ts'
import { requestHooks } from '../../model/request-hooks.ts'
import { isWithin } from '../../report/context-path.ts'

export interface OriginatedHook extends ManifestHook {
  /** The context that adds it, or `route`. */
  readonly from: string
}

/** Returns the hooks of a route in the order in which they run, without application hooks such as `onReady`. */
export function hooksOf({ contexts }: Manifest, route: Route): readonly OriginatedHook[] {
  const around = contexts.filter((one) => isWithin(route.context, one.context))
  const all = [
    ...withOrigins(around.at(-1) ?? {}, around),
    ...(route.hooks ?? []).map((hook) => ({ ...hook, from: 'route' })),
  ]
  return [...requestHooks, '*'].flatMap((name) => all.filter(({ hook }) => hook === name))
}

/** Names a hook by its function, or else by its decorator. */
export function hookName({ name, decorator }: Pick<ManifestHook, 'name' | 'decorator'>): string {
  return name || (decorator === undefined ? '-' : `app.${decorator}`)
}

/**
 * Returns the hooks of a context with their origin, including inherited ones. A function that is called with
 * several contexts adds the same hook to each, so hooks are counted.
 *
 * @param around the enclosing contexts, root first, followed by the context itself
 */
export function withOrigins(
  { hooks = [] }: Pick<ManifestContext, 'hooks'>,
  around: readonly ManifestContext[],
): OriginatedHook[] {
  return hooks.map((hook, index) => {
    const nth = countOf(hooks.slice(0, index + 1), hook)
    const first = around.find((one) => countOf(one.hooks ?? [], hook) >= nth)
    return { ...hook, from: first?.context ?? '' }
  })
}

function countOf(hooks: readonly ManifestHook[], { hook, at }: ManifestHook): number {
  return hooks.filter((one) => one.hook === hook && one.at === at).length
}
