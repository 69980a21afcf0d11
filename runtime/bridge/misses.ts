import type { Artifact } from '../artifact/index.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { whyLeftOut, whyMissing } from '../artifact/why-missing.ts'
import type { Log } from './instances.ts'
import { say } from './instances.ts'
import { partOf, routeOf, type Target } from './target.ts'

export interface Manner {
  readonly artifact: Artifact
  /** Refuse to start with a schema that the artifact lacks. */
  readonly strict: boolean
  log(): Log | undefined
}

/** Reports once per route that Fastify compiles a schema itself. */
export function createMisses({
  artifact,
  strict,
  log,
}: Manner): (target: Target, why: string | UnitFactory) => void {
  const said = new Set<string>()
  return (target, given) => {
    const route = routeOf(target)
    const { method, url } = target
    const isTwin = method === 'HEAD' && said.has(`GET ${url}`)
    if (!strict && (isTwin || said.has(route))) return
    said.add(route)
    const known = typeof given === 'string' ? given : leftOut(artifact, target)
    const found =
      known === undefined ? whyMissing(artifact, given as UnitFactory, target) : undefined
    const why = known ?? found?.reason ?? 'it changed after the build'
    const what = `${route}: its ${partOf(target)} is missing in the artifact (${why})`
    const command = found?.entry === undefined ? '` again' : ` ${found.entry}\``
    const step = found?.isElsewhere ? '' : ` Run \`framework build${command}.`
    if (strict) throw new Error(`${what}.${step}`)
    say(`${what}, so Fastify compiles it in this process.${step}`, log())
  }
}

function leftOut(artifact: Artifact, target: Target): string | undefined {
  const place = whyLeftOut(artifact, target)
  return place && `the build left it to the running application: ${place}`
}
