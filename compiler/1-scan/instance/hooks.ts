/** What is known of hooks without running them: their names, functions and places. */
import { requestHooks } from '../../model/request-hooks.ts'
import type { SeenHook } from '../../model/index.ts'
import type { Machine } from '../values/machine.ts'
import { primitive } from '../values/index.ts'
import type { Value } from '../values/index.ts'
import type { ContextRecord, RouteRecord } from '../values/contexts.ts'
import type { Node } from '../project.ts'
import { isDocumenting } from './known-plugins.ts'

/** @param plugin the wrapped plugin that adds it, which has no context of its own to be named by */
export function seeHook(
  m: Machine,
  hook: string,
  value: Value,
  at: Node,
  plugin?: string,
): SeenHook {
  const isNamed = value.kind === 'function' || value.kind === 'native'
  const name = isNamed ? value.name : ''
  return { hook, name, plugin, at: m.project.locate(at), isConditional: m.arms.length > 0 }
}

/** What is said of a route beside what it is compiled from. */
export function seenOfRoute(
  m: Machine,
  { plugins }: ContextRecord,
  options: Value,
  at: Node,
): Pick<RouteRecord, 'hooks' | 'isDocumented'> {
  const isDocumented = plugins.some(({ name }) => isDocumenting(name))
  return { hooks: hooksOfRoute(m, options, at), isDocumented }
}

/** Those that the options of a route name. */
function hooksOfRoute(m: Machine, options: Value, at: Node): readonly SeenHook[] {
  return requestHooks.flatMap((hook) => {
    // What a package gives stays what it is: nothing is run to know the name of a hook.
    const value = m.get(options, primitive(hook, at), at)
    if (value.kind === 'primitive') return []
    const all = value.kind === 'array' ? value.elements : [value]
    return all.map((one) => seeHook(m, hook, one, one.at ?? at))
  })
}
