import type { ManifestContext, ManifestHook } from '../5-bundle/manifest.ts'

export interface OriginatedHook extends ManifestHook {
  /** The context that adds it, or `route`. */
  readonly from: string
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
