/** Warns of factory options of Fastify 5 that have no effect in `framework`. */
import { hasNoEffect, optionsWithoutEffect } from '../../runtime/context/fastify-5-options.ts'
import type { ScanMachine } from './machine.ts'
import { readOption } from './factory-options.ts'
import { isGiven, primitive, type InstanceValue, type Value } from './values/index.ts'

export function warnOfNoEffect(m: ScanMachine, root: InstanceValue): void {
  const { options, at } = root.context.root
  for (const [name, advice] of Object.entries(optionsWithoutEffect)) {
    const [first = '', second] = name.split('.')
    const outer = readOption(m, options, first, at)
    if (!isKnown(outer)) continue
    const value = m.known(second === undefined ? outer : m.get(outer, primitive(second, at), at))
    if (!isKnown(value)) continue
    if (value.kind === 'primitive' && !hasNoEffect(name, value.value)) continue
    m.warn('AOT_OPTION_WITHOUT_EFFECT', m.project.locate(value.at ?? at), name, advice)
  }
}

/** Returns whether a value is certainly given. */
function isKnown(value: Value): boolean {
  return (
    isGiven(value) &&
    value.kind !== 'unknown' &&
    value.kind !== 'deferred' &&
    value.kind !== 'choice'
  )
}
