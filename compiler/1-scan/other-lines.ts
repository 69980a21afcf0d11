/** Reports instances of another line than the build's: an artifact can't hold their functions. */
import { lineNames } from '../../runtime/artifact/lines.ts'
import { readOption } from './factory-options.ts'
import type { ScanMachine } from './machine.ts'
import { isGiven, type InstanceValue } from './values/index.ts'

export function reportOtherLines(m: ScanMachine, instances: readonly InstanceValue[]): void {
  const others = instances.flatMap(({ context: { root } }) => {
    const { at, options, line = m.target.name } = root
    const hasOwnArtifact = isGiven(readOption(m, options, 'aot', at))
    return line === m.target.name || hasOwnArtifact ? [] : [{ at, line }]
  })
  // If all are, the target was asked for.
  if (others.length === instances.length) return
  for (const { at, line } of others) {
    m.report('AOT_OTHER_LINE', m.project.locate(at), lineNames[line])
  }
}
