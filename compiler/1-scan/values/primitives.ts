/** Converts objects to primitive values. */
import type { Node } from '../../util/source/project.ts'
import type { Machine } from './machine.ts'
import { primitive, type Value } from './index.ts'

/**
 * Converts an object as JavaScript does: calls `Symbol.toPrimitive`, or else `valueOf` and `toString`, unless they are built in. Returns the
 * object unchanged if it has no `Symbol.toPrimitive` and the others don't return a primitive value.
 */
export function toPrimitive(
  m: Machine,
  value: Value,
  hint: 'string' | 'number' | 'default',
  at: Node,
): Value {
  if (value.kind !== 'object') return value
  const read = (key: string | symbol): Value => m.get(value, primitive(key, at), at)
  const convert = read(Symbol.toPrimitive)
  if (convert.kind === 'function') {
    return m.known(m.call(convert, value, [primitive(hint, at)], at))
  }
  for (const name of hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString']) {
    const method = read(name)
    if (method.kind !== 'function') continue
    const result = m.known(m.call(method, value, [], at))
    if (result.kind !== 'object') return result
  }
  return value
}
