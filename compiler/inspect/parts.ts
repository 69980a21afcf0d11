/** The parts of a route, with what is known of each. */
import type { ManifestProblem } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'

export interface KnownPart {
  /** `body`, `200`, `2xx application/json`. */
  readonly part: string
  /** How it became known: `literal`, `sliced`, `traced`, `own`, `dynamic`. */
  readonly standing: string
  /** Why it is dynamic. */
  readonly problem: ManifestProblem | undefined
  /** Of its function, when the artifact has one. */
  readonly digest: string | undefined
}

/** Request parts first. */
export function partsOf(route: Route): readonly KnownPart[] {
  const functions = digestsOf(route)
  const names = Object.keys(route.parts)
  return [...names.filter((part) => !isResponse(part)), ...names.filter(isResponse)].map(
    (part) => ({
      part,
      standing: route.parts[part] ?? '',
      problem: route.dynamic.find((one) => one.part === part),
      digest: functions[part],
    }),
  )
}

/** The functions of a route by part. */
export function digestsOf({ validators, serializers }: Route): Readonly<Record<string, string>> {
  return { ...validators, ...serializers }
}

function isResponse(part: string): boolean {
  return /^(?:[1-5]|default|response)/.test(part)
}
