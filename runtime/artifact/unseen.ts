import type { Artifact } from './index.ts'

/** Explains why an artifact lacks a route, with the next step. */
export const UNSEEN =
  'the build saw no route of this method and URL: it is new, or one of a package, which the build sees with "--trace"'

/**
 * Returns true if the build knows the application's routes, but not this one. A HEAD route may be the twin of
 * a GET route.
 *
 * @throws DamagedArtifactError
 */
export function isUnseen(
  artifact: Artifact,
  method: string | readonly string[] | undefined,
  url: string | undefined,
): boolean {
  if (url === undefined || artifact.origin() === undefined) return false
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method ?? []].flat()
  return methods.every((one) => artifact.locate(one, url) === undefined)
}
