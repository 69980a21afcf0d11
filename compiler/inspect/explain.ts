/** Collects everything that a build knows about a route, for `framework explain`. */
import type { Manifest, ManifestContext, ManifestHook } from '../5-bundle/manifest.ts'
import { isTwin } from '../5-bundle/coverage.ts'
import type { Route } from '../artifact/schemas.ts'
import { requestHooks } from '../model/request-hooks.ts'
import { isWithin } from '../report/context-path.ts'
import { withOrigins } from './hooks.ts'
import { digestsOf, partsOf } from './parts.ts'
import type { ExplainedRef } from './refs.ts'
import { createRefs } from './refs.ts'

export interface Explanation {
  readonly method: string
  readonly url: string
  readonly at: string
  readonly constraints: Readonly<Record<string, string>>
  /** From the root to the route's own context. */
  readonly contexts: readonly Pick<ManifestContext, 'context' | 'prefix' | 'at'>[]
  /** Hooks that run for a request, in order. */
  readonly hooks: readonly ExplainedHook[]
  /** Plugins of packages in these contexts. Their hooks aren't known. */
  readonly plugins: readonly { readonly name: string; readonly at: string }[]
  readonly parts: readonly ExplainedPart[]
}

export interface ExplainedHook extends ManifestHook {
  /** The context that adds it, or `route`. */
  readonly from: string
}

export interface ExplainedPart {
  /** `body`, `200`, `2xx application/json`. */
  readonly part: string
  /** How the build came to know the schema: `literal`, `sliced`, `traced`, `own` or `dynamic`. */
  readonly standing: string
  /** Why the part is dynamic. */
  readonly reason: string | undefined
  /** Undefined if the application compiles the part itself. */
  readonly function: ExplainedFunction | undefined
  readonly refs: readonly ExplainedRef[]
}

export interface ExplainedFunction {
  readonly digest: string
  readonly kind: string
  /** Size in the artifact. */
  readonly bytes: number
  /** Other parts with the same validator or serializer: `POST /books body`. */
  readonly sharedWith: readonly string[]
}

export function explain(manifest: Manifest, route: Route): Explanation {
  const { method, url, at, constraints = {} } = route
  const around = manifest.contexts.filter((one) => isWithin(route.context, one.context))
  const own = around.at(-1)
  return {
    method,
    url,
    at,
    constraints,
    contexts: around.map(({ context, prefix, at: place }) => ({ context, prefix, at: place })),
    hooks: inOrder([
      ...withOrigins(own ?? {}, around),
      ...(route.hooks ?? []).map((hook) => ({ ...hook, from: 'route' })),
    ]),
    plugins: own?.plugins ?? [],
    parts: explainedParts(manifest, route),
  }
}

/** Leaves out application hooks such as `onReady`, which don't run for requests. */
function inOrder(hooks: readonly ExplainedHook[]): ExplainedHook[] {
  return requestHooks.flatMap((name) => hooks.filter(({ hook }) => hook === name))
}

function explainedParts(manifest: Manifest, route: Route): ExplainedPart[] {
  const refs = createRefs(manifest)
  return partsOf(route).map(({ part, standing, problem, digest }) => ({
    part,
    standing,
    reason: problem?.message,
    function: digest === undefined ? undefined : functionOf(manifest, route, part, digest),
    refs: refs.of(route, part),
  }))
}

function functionOf(
  manifest: Manifest,
  route: Route,
  part: string,
  digest: string,
): ExplainedFunction | undefined {
  const known = manifest.functions[digest]
  if (known === undefined) return undefined
  const sharedWith = manifest.routes
    .filter((other) => !isTwin(other, manifest.routes))
    .flatMap((other) =>
      Object.entries(digestsOf(other))
        .filter(([key, one]) => one === digest && !(other === route && key === part))
        .map(([key]) => `${other.method} ${other.url} ${key}`),
    )
  return { digest, kind: known.kind, bytes: known.bytes, sharedWith }
}
