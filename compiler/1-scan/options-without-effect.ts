import { hasNoEffect, optionsWithoutEffect } from '../../runtime/context/later-options.ts'
import type { ScanMachine } from './machine.ts'
import { readOption } from './options.ts'
import { isGiven, primitive } from './values/index.ts'
import type { InstanceValue } from './values/index.ts'

/** Warns of options of Fastify 5 that the runtime of this package cannot follow. */
export function warnOfNoEffect(m: ScanMachine, root: InstanceValue): void {
  const { options, at } = root.context.root
  for (const [name, advice] of Object.entries(optionsWithoutEffect)) {
    const [first = '', second] = name.split('.')
    const outer = readOption(m, options, first, at)
    if (!isGiven(outer)) continue
    const value = m.known(second === undefined ? outer : m.get(outer, primitive(second, at), at))
    if (!isGiven(value)) continue
    if (value.kind === 'primitive' && !hasNoEffect(name, value.value)) continue
    m.warn('AOT_OPTION_WITHOUT_EFFECT', m.project.locate(value.at ?? at), name, advice)
  }
}
