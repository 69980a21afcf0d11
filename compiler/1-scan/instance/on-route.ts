/** Calls `onRoute` hooks, which may change the options of a route. */
import type { Machine } from '../values/machine.ts'
import { array, primitive } from '../values/index.ts'
import type { InstanceValue, ObjectValue } from '../values/index.ts'
import type { Node } from '../project.ts'
import type { RouteRecord } from '../values/contexts.ts'
import { underPrefix } from './context.ts'

/** A call that declares routes. */
export interface Declaration {
  readonly m: Machine
  readonly instance: InstanceValue
  readonly methods: readonly string[]
  /** Hooks may change them. */
  readonly options: ObjectValue
  /** True if Fastify adds a HEAD route by default. */
  readonly hasTwin: boolean
  readonly at: Node
}

/** Returns the path that `onRoute` hooks get. `/` under a prefix has two: they get the first. */
export function routePath(
  prefix: string,
  path: string,
  trailingSlash: RouteRecord['trailingSlash'],
  methods: readonly string[],
): string {
  const isHead = methods.length === 1 && methods[0] === 'HEAD'
  if (path === '/' && prefix !== '' && !isHead) return trailingSlash === 'slash' ? '/' : ''
  return path.startsWith('/') && prefix.endsWith('/') ? path.slice(1) : path
}

export function callOnRoute(
  { m, instance, methods, at }: Omit<Declaration, 'options'>,
  options: ObjectValue,
  path: string,
): void {
  const { context } = instance
  const url = underPrefix(context, path, at)
  const [first = ''] = methods
  const values = methods.map((method) => primitive(method, at))
  const method = methods.length === 1 ? primitive(first, at) : array(values, at)
  const shown = {
    routePath: primitive(path, at),
    url,
    path: url,
    prefix: underPrefix(context, '', at),
    method,
  }
  for (const [name, value] of Object.entries(shown)) {
    m.journal.setMember(options, name, { value, at })
  }
  for (const hook of context.onRoute) m.call(hook, instance, [options], at)
}
