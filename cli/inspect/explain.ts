/** Collects everything that a build knows about a route, for `framework explain`. */
import type { Manifest, ManifestContext } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import { isWithin } from '../../compiler/report/context-path.ts'
import { hooksOf, type OriginatedHook } from '../../compiler/5-artifact/read/hooks.ts'
import { partsOf, usersOf, type KnownPart, type OverviewFunction } from './parts.ts'
import { createRefs, type ExplainedRef } from './refs.ts'

export interface Explanation {
  readonly method: string
  readonly url: string
  readonly at: string
  readonly constraints: Readonly<Record<string, string>>
  /** From the root to the route's own context. */
  readonly contexts: readonly Pick<ManifestContext, 'context' | 'prefix' | 'at'>[]
  /** Hooks that run for a request, in order. */
  readonly hooks: readonly OriginatedHook[]
  /** Plugins of packages in these contexts. Their hooks aren't known. */
  readonly plugins: NonNullable<ManifestContext['plugins']>
  readonly parts: readonly ExplainedPart[]
}

export interface ExplainedPart extends Pick<KnownPart, 'part' | 'standing' | 'library'> {
  readonly reason: string | undefined
  /** Undefined if the artifact has none: for dynamic parts, and those that the application compiles itself. */
  readonly function: ExplainedFunction | undefined
  readonly refs: readonly ExplainedRef[]
}

export interface ExplainedFunction extends Omit<OverviewFunction, 'serves'> {
  /** Other parts with the same validator or serializer: `POST /books body`. */
  readonly sharedWith: readonly string[]
}

const unknownSchema = 'Only the running application knows its schema.'

export function explain(manifest: Manifest, route: Route): Explanation {
  const { method, url, at, constraints = {} } = route
  const contexts = manifest.contexts.filter((one) => isWithin(route.context, one.context))
  const routeContext = contexts.at(-1)
  return {
    method,
    url,
    at,
    constraints,
    contexts: contexts.map(({ context, prefix, at: place }) => ({ context, prefix, at: place })),
    hooks: hooksOf(manifest, route),
    plugins: routeContext?.plugins ?? [],
    parts: explainedParts(manifest, route),
  }
}

function explainedParts(manifest: Manifest, route: Route): ExplainedPart[] {
  const refs = createRefs(manifest)
  const users = usersOf(manifest.routes.filter((other) => !other.isTwin))
  return partsOf(route).map(({ part, standing, library, problem, digest = '' }) => {
    const compiled = manifest.functions[digest]
    const sharedWith = (users.get(digest) ?? [])
      .filter((other) => other.route !== route || other.part !== part)
      .map((other) => `${other.route.method} ${other.route.url} ${other.part}`)
    return {
      part,
      standing,
      library,
      reason: problem?.message ?? (route.opaque?.includes(part) ? unknownSchema : undefined),
      function: compiled && { digest, kind: compiled.kind, bytes: compiled.bytes, sharedWith },
      refs: refs.of(route, part),
    }
  })
}
