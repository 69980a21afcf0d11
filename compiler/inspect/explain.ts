/** All that a build knows of a route. */
import type { Manifest, ManifestContext, ManifestHook } from '../5-bundle/manifest.ts'
import { isTwin } from '../5-bundle/coverage.ts'
import { addressOf } from '../../runtime/artifact/units.ts'
import type { Route } from '../built-schemas.ts'
import { schemaOf, sharedSchemas } from '../built-schemas.ts'
import { isWithin } from '../report/context-path.ts'

export interface Explanation {
  readonly method: string
  readonly url: string
  readonly at: string
  readonly constraints: Readonly<Record<string, string>>
  /** From the root to the one that the route is in. */
  readonly contexts: readonly Pick<ManifestContext, 'context' | 'prefix' | 'at'>[]
  /** In the order in which contexts and route add them. */
  readonly hooks: readonly ExplainedHook[]
  /** Plugins of packages in its contexts: nobody has looked for the hooks that they add. */
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
  /** How it became known: `literal`, `sliced`, `traced`, `own`, `dynamic`. */
  readonly standing: string
  /** Why it is dynamic. */
  readonly reason: string | undefined
  /** Its function, unless the application has one of its own. */
  readonly function: ExplainedFunction | undefined
  readonly refs: readonly ExplainedRef[]
}

export interface ExplainedFunction {
  readonly digest: string
  readonly kind: string
  /** In the artifact. */
  readonly bytes: number
  /** Other parts that it serves: `POST /books body`. */
  readonly sharedWith: readonly string[]
}

/** A reference to a shared schema. */
export interface ExplainedRef {
  readonly ref: string
  /** The shared schema in which it stands; `undefined` when that is the part itself. */
  readonly within: string | undefined
  /** The shared schema that it leads to. */
  readonly id: string
  /** The context that adds it. */
  readonly context: string
  readonly at: string
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
    hooks: [
      ...(own?.hooks ?? []).map((hook) => ({ ...hook, from: originOf(hook, around) })),
      ...(route.hooks ?? []).map((hook) => ({ ...hook, from: 'route' })),
    ],
    plugins: own?.plugins ?? [],
    parts: partsOf(manifest, route),
  }
}

/** Hooks of a context are those of the contexts in it, too. */
function originOf(hook: ManifestHook, around: readonly ManifestContext[]): string {
  const first = around.find(({ hooks = [] }) =>
    hooks.some((one) => one.at === hook.at && one.hook === hook.hook),
  )
  return first?.context ?? ''
}

/** Request parts first. */
function partsOf(manifest: Manifest, route: Route): ExplainedPart[] {
  const functions = { ...route.validators, ...route.serializers }
  const names = Object.keys(route.parts)
  const isResponse = (part: string): boolean => /^(?:[1-5]|default|response)/.test(part)
  return [...names.filter((part) => !isResponse(part)), ...names.filter(isResponse)].map((part) => {
    const digest = functions[part]
    return {
      part,
      standing: route.parts[part] ?? '',
      reason: route.dynamic.find((one) => one.part === part)?.message,
      function: digest === undefined ? undefined : functionOf(manifest, route, part, digest),
      refs: refsOf(manifest, route, part),
    }
  })
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
      Object.entries({ ...other.validators, ...other.serializers })
        .filter(([key, one]) => one === digest && !(other === route && key === part))
        .map(([key]) => `${other.method} ${other.url} ${key}`),
    )
  return { digest, kind: known.kind, bytes: known.bytes, sharedWith }
}

function refsOf(manifest: Manifest, route: Route, part: string): ExplainedRef[] {
  const shared = sharedSchemas(manifest, route.context)
  const found: ExplainedRef[] = []
  const seen = new Set<string>()
  visit(schemaOfPart(manifest, route, part), undefined)
  return found

  function visit(schema: unknown, within: string | undefined): void {
    for (const ref of refsIn(schema)) {
      const id = Object.keys(shared).find((one) => addressOf(one) === addressOf(ref))
      const holder = manifest.contexts.find(
        (one) => isWithin(route.context, one.context) && id !== undefined && id in one.shared,
      )
      if (id === undefined || holder === undefined || seen.has(`${within}\n${ref}`)) continue
      seen.add(`${within}\n${ref}`)
      found.push({ ref, within, id, context: holder.context, at: holder.shared[id]?.at ?? '' })
      visit(shared[id], id)
    }
  }
}

function schemaOfPart(manifest: Manifest, route: Route, part: string): unknown {
  const schema = schemaOf(manifest, route) ?? {}
  if (part === 'querystring') return schema['querystring'] ?? schema['query']
  if (part in schema && part !== 'response') return schema[part]
  const [status = '', ...contentType] = part.split(' ')
  const responses = (schema['response'] ?? {}) as Record<string, unknown>
  const key = Object.keys(responses).findLast((one) => one.toLowerCase() === status)
  const response = key === undefined ? undefined : responses[key]
  if (contentType.length === 0) return response
  return (response as { content?: Record<string, unknown> } | undefined)?.content?.[
    contentType.join(' ')
  ]
}

function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}
