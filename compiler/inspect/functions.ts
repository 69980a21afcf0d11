/** Lists the validators and serializers of an artifact, with the parts of routes that use them. */
import type { Manifest, ManifestFunction } from '../5-bundle/manifest.ts'
import { digestsOf, type Route } from '../artifact/schemas.ts'
import { groupBy } from '../util/group-by.ts'

export interface OverviewFunction extends Pick<ManifestFunction, 'kind' | 'bytes'> {
  readonly digest: string
  readonly serves: readonly ServedPart[]
}

export interface ServedPart extends Pick<Route, 'method' | 'url' | 'context'> {
  readonly part: string
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
