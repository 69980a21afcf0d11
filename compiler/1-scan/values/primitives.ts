/** Converts objects to primitive values. */
import type { Node } from '../project.ts'
import type { Machine } from './machine.ts'
import { primitive, type Value } from './index.ts'

/** Converts an object by its own conversion methods. An object without any stays as it is. */
export function toPrimitive(
  m: Machine,
  value: Value,
  hint: 'string' | 'number' | 'default',
  at: Node,
): Value {
  if (value.kind !== 'object') return value
  const own = (key: string | symbol): Value => m.get(value, primitive(key, at), at)
  const special = own(Symbol.toPrimitive)
  if (special.kind === 'function') {
    return m.known(m.call(special, value, [primitive(hint, at)], at))
  }
  for (const name of hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString']) {
    const method = own(name)
    if (method.kind !== 'function') continue
    const result = m.known(m.call(method, value, [], at))
    if (result.kind !== 'object') return result
  }
  return value
}
