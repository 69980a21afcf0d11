/** Lists the parts of routes, and the validators and serializers that they use. */
import type {
  Manifest,
  ManifestFunction,
  ManifestLibrary,
  ManifestProblem,
} from '../../compiler/5-artifact/manifest.ts'
import { isResponse } from '../../compiler/5-artifact/coverage.ts'
import { digestsOf, libraryOf, type Route } from '../../compiler/5-artifact/read/schemas.ts'
import { groupBy } from '../../compiler/util/group-by.ts'

export interface KnownPart {
  /** `body`, `200`, `2xx application/json`. */
  readonly part: string
  /** How the build came to know the schema: `literal`, `sliced`, `traced`, `own` or `dynamic`. */
  readonly standing: string
  /** The library that reads it at run time. */
  readonly library: ManifestLibrary | undefined
  /** Why the part is dynamic. */
  readonly problem: ManifestProblem | undefined
  /** Digest of its validator or serializer, if the artifact has one. */
  readonly digest: string | undefined
}

export function partsOf(route: Route): readonly KnownPart[] {
  const functions = digestsOf(route)
  return partNames(route.parts).map((part) => ({
    part,
    standing: route.parts[part] ?? '',
    library: libraryOf(route, part),
    problem: route.dynamic.find((one) => one.part === part),
    digest: functions[part],
  }))
}

/** Returns the names of a route's parts, request parts first. An object has integer-like keys first. */
export function partNames(parts: Route['parts']): readonly string[] {
  const names = Object.keys(parts)
  return [...names.filter((part) => !isResponse(part)), ...names.filter(isResponse)]
}

export interface OverviewFunction extends Pick<ManifestFunction, 'kind' | 'bytes'> {
  readonly digest: string
  readonly serves: readonly (Pick<Route, 'method' | 'url' | 'context'> & {
    readonly part: string
  })[]
}

export function usersOf(
  routes: readonly Route[],
): ReadonlyMap<string, readonly { readonly route: Route; readonly part: string }[]> {
  const users = routes.flatMap((route) =>
    Object.entries(digestsOf(route)).map(([part, digest]) => ({ route, part, digest })),
  )
  return groupBy(users, ({ digest }) => digest)
}

/** Largest first. */
export function functionsOf(
  manifest: Manifest,
  routes: readonly Route[],
): readonly OverviewFunction[] {
  const users = usersOf(routes)
  return Object.entries(manifest.functions)
    .map(([digest, { kind, bytes }]) => {
      const serves = (users.get(digest) ?? []).map(({ route: { method, url, context }, part }) => ({
        method,
        url,
        part,
        context,
      }))
      return { digest, kind, bytes, serves }
    })
    .sort((a, b) => b.bytes - a.bytes || (a.digest < b.digest ? -1 : 1))
}
