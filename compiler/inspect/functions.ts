/** Lists the validators and serializers of an artifact, with the parts of routes that use them. */
import type { Manifest, ManifestFunction } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { digestsOf } from './parts.ts'

export interface OverviewFunction extends Pick<ManifestFunction, 'kind' | 'bytes'> {
  readonly digest: string
  /** The parts of routes that use it. */
  readonly serves: readonly ServedPart[]
}

export interface ServedPart extends Pick<Route, 'method' | 'url' | 'context'> {
  readonly part: string
}

/** Largest first. */
export function functionsOf(
  manifest: Manifest,
  routes: readonly Route[],
): readonly OverviewFunction[] {
  const users = new Map<string, ServedPart[]>()
  for (const route of routes) {
    const { method, url, context } = route
    for (const [part, digest] of Object.entries(digestsOf(route))) {
      const serves = users.get(digest) ?? []
      serves.push({ method, url, part, context })
      users.set(digest, serves)
    }
  }
  return Object.entries(manifest.functions)
    .map(([digest, { kind, bytes }]) => ({ digest, kind, bytes, serves: users.get(digest) ?? [] }))
    .sort((a, b) => b.bytes - a.bytes || (a.digest < b.digest ? -1 : 1))
}
