/** Describes hooks for the overview of an application: name, source location and condition. They aren't run. */
import { requestHooks } from '../../model/request-hooks.ts'
import type { SeenHook } from '../../model/index.ts'
import type { Machine } from '../values/machine.ts'
import { isCallable, primitive, type Value } from '../values/index.ts'
import type { ContextRecord } from '../values/contexts.ts'
import type { Node } from '../project.ts'
import { isDocumenting } from './known-plugins.ts'

/** @param plugin the name of the plugin that adds the hook to its parent's context, as wrapped by fastify-plugin */
export function describeHook(
  m: Machine,
  hook: string,
  value: Value,
  at: Node,
  plugin?: string,
): SeenHook {
  const isNamed = value.kind === 'function' || value.kind === 'native'
  const name = isNamed ? value.name : ''
  const file = value.kind === 'function' ? m.project.locate(value.node).file : undefined
  return {
    hook,
    name,
    plugin,
    function: name === '' || file === undefined ? undefined : `${file}#${name}`,
    decorator: m.decorators.get(value),
    unknown: isCallable(value) ? undefined : whyUnknown(value),
    at: m.project.locate(at),
    isConditional: m.branches.length > 0,
  }
}

function whyUnknown(value: Value): string {
  if (value.kind === 'unknown') return value.why
  if (value.kind === 'choice') return 'it depends on a condition'
  return value.kind === 'deferred' ? 'it is the value of a package' : 'it is not a function'
}

export function routeHooks(m: Machine, options: Value, at: Node): SeenHook[] {
  return requestHooks.flatMap((hook) => {
    // A hook from a package stays unevaluated: its name isn't worth running the package.
    const value = m.get(options, primitive(hook, at), at)
    if (value.kind === 'primitive') return []
    const all =
      value.kind === 'array'
        ? [...value.elements, ...(value.uncertainty ? [value.uncertainty] : [])]
        : [value]
    return all.map((one) => describeHook(m, hook, one, one.at ?? at))
  })
}

/** Returns whether the routes that a context declares next are in the API documentation. */
export function isDocumented({ plugins }: ContextRecord): boolean {
  return plugins.some(({ name }) => isDocumenting(name))
}
