import type { Artifact } from '../artifact/index.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { UNLIKE, whyLeftOut } from '../artifact/missing/index.ts'
import type { Reporting } from './instances.ts'
import { say } from './instances.ts'
import { partOf, routeOf, type Target } from './compile-target.ts'

/** Creates the function that reports, once per route, that Fastify compiles a schema itself. In strict mode it throws. */
export function createMissReporter(
  artifact: Artifact,
  { strict, log }: Reporting,
): (target: Target, cause: string | UnitFactory) => void {
  /** Routes that were reported. */
  const reported = new Set<string>()
  return (target, cause) => {
    const route = routeOf(target)
    const { method, url } = target
    const isTwin = method === 'HEAD' && reported.has(`GET ${url}`)
    if (!strict && (isTwin || reported.has(route))) return
    reported.add(route)
    const recorded = typeof cause === 'string' ? cause : leftOut(artifact, target)
    const found =
      recorded === undefined ? artifact.whyMissing(cause as UnitFactory, target) : undefined
    const why = recorded ?? found?.reason ?? UNLIKE
    const what = `${route}: its ${partOf(target)} is missing in the artifact (${why})`
    const { entry = '', option = '' } = found ?? {}
    const command = entry + option === '' ? '` again' : `${entry && ` ${entry}`}${option}\``
    const step = found?.isElsewhere ? '' : ` Run \`framework build${command}.`
    if (strict) throw new Error(`${what}.${step}`)
    say(`${what}, so Fastify compiles it in this process.${step}`, log())
  }
}

function leftOut(artifact: Artifact, target: Target): string | undefined {
  const place = whyLeftOut(artifact, target)
  return place && `the build left it to the running application: ${place}`
}
