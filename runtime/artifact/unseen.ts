import type { Artifact } from './index.ts'

/** Why an artifact has nothing for a route that its build did not see, and what helps. */
export const UNSEEN =
  'the build saw no route of this method and URL: it is new, or one of a package, which the build sees with "--trace"'

/**
 * Whether the build tells of its routes, and this is none of them. A route for HEAD may come of one for GET.
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
