/** Lists the validators and serializers of an artifact, with the parts of routes that use them. */
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { digestsOf } from './parts.ts'

export interface OverviewFunction {
  readonly digest: string
  readonly kind: 'validator' | 'serializer'
  /** Size in the artifact. */
  readonly bytes: number
  /** The parts of routes that use it. */
  readonly serves: readonly ServedPart[]
}

export interface ServedPart {
  readonly method: string
  readonly url: string
  readonly part: string
  /** The route's context. */
  readonly context: string
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
