/** Describes hooks without running them: their names and places. */
import { requestHooks } from '../../model/request-hooks.ts'
import type { SeenHook } from '../../model/index.ts'
import type { Machine } from '../values/machine.ts'
import { primitive } from '../values/index.ts'
import type { Value } from '../values/index.ts'
import type { ContextRecord, RouteRecord } from '../values/contexts.ts'
import type { Node } from '../project.ts'
import { isDocumenting } from './known-plugins.ts'

/** @param plugin the plugin that adds it, if it has no context of its own */
export function seeHook(
  m: Machine,
  hook: string,
  value: Value,
  at: Node,
  plugin?: string,
): SeenHook {
  const isNamed = value.kind === 'function' || value.kind === 'native'
  const name = isNamed ? value.name : ''
  return { hook, name, plugin, at: m.project.locate(at), isConditional: m.branches.length > 0 }
}

/** Returns the hooks that the options of a route name, and whether the route is in the API documentation. */
export function seenOfRoute(
  m: Machine,
  { plugins }: ContextRecord,
  options: Value,
  at: Node,
): Pick<RouteRecord, 'hooks' | 'isDocumented'> {
  const hooks = requestHooks.flatMap((hook) => {
    // A value from a package isn't computed only to name a hook.
    const value = m.get(options, primitive(hook, at), at)
    if (value.kind === 'primitive') return []
    const all = value.kind === 'array' ? value.elements : [value]
    return all.map((one) => seeHook(m, hook, one, one.at ?? at))
  })
  return { hooks, isDocumented: plugins.some(({ name }) => isDocumenting(name)) }
}
