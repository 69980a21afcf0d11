import type { Machine } from '../values/machine.ts'
import { primitive } from '../values/index.ts'
import type { InstanceValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import type { RouteRecord } from '../values/contexts.ts'

/** One call that declares routes. */
export interface Declaration {
  readonly m: Machine
  readonly instance: InstanceValue
  readonly methods: readonly string[]
  /** What hooks may change. */
  readonly options: ObjectValue
  /** Whether Fastify adds a HEAD route, unless it is told not to. */
  readonly hasTwin: boolean
  readonly at: Node
}

/** What `onRoute` hooks are shown as the path: of `/` under a prefix, the first of its two. */
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

/** Shows the route to the hooks, which may change its options. */
export function callOnRoute(
  { m, instance, methods, at }: Omit<Declaration, 'options'>,
  options: ObjectValue,
  path: string,
): void {
  const { prefix, onRoute } = instance.context
  const url = primitive(prefix + path, at)
  setMember(m, options, 'routePath', primitive(path, at), at)
  setMember(m, options, 'url', url, at)
  setMember(m, options, 'path', url, at)
  setMember(m, options, 'prefix', primitive(prefix, at), at)
  setMember(m, options, 'method', methodValue(methods, at), at)
  for (const hook of onRoute) m.call(hook, instance, [options], at)
}

function methodValue(methods: readonly string[], at: Node): Value {
  const [first = ''] = methods
  if (methods.length === 1) return primitive(first, at)
  const values = methods.map((method) => primitive(method, at))
  return { kind: 'array', elements: values, members: new Map(), doubt: undefined, at }
}

export function setMember(
  m: Machine,
  owner: ObjectValue,
  name: string,
  value: Value,
  at: Node,
): void {
  m.journal.setMember(owner, name, { value, at })
}
