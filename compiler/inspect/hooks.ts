import type { ManifestContext, ManifestHook } from '../5-bundle/manifest.ts'

export interface OriginatedHook extends ManifestHook {
  /** The context that adds it. */
  readonly from: string
}

/**
 * The hooks of a context with where they come from: those of the contexts around it are its own, too. A function that is called with
 * several contexts adds a hook of one place to each of them, so that they are counted.
 *
 * @param around the contexts around it, the root first, and the context itself
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
