/** Lists the parts of a route. */
import type { ManifestProblem } from '../5-bundle/manifest.ts'
import { digestsOf, type Route } from '../artifact/schemas.ts'

export interface KnownPart {
  /** `body`, `200`, `2xx application/json`. */
  readonly part: string
  /** How the build came to know the schema: `literal`, `sliced`, `traced`, `own` or `dynamic`. */
  readonly standing: string
  readonly problem: ManifestProblem | undefined
  /** Digest of its validator or serializer, if the artifact has one. */
  readonly digest: string | undefined
}

export function partsOf(route: Route): readonly KnownPart[] {
  const functions = digestsOf(route)
  return partNames(route.parts).map((part) => ({
    part,
    standing: route.parts[part] ?? '',
    problem: route.dynamic.find((one) => one.part === part),
    digest: functions[part],
  }))
}

/** Returns the names of a route's parts, request parts first. An object has integer-like keys first. */
export function partNames(parts: Route['parts']): readonly string[] {
  const names = Object.keys(parts)
  return [...names.filter((part) => !isResponse(part)), ...names.filter(isResponse)]
}

function isResponse(part: string): boolean {
  return /^(?:[1-5]|default|response)/.test(part)
}
