import { annotations, schemaTables } from '../../../runtime/artifact/annotations.ts'
import { optionsOf, type Value } from './index.ts'

/** Whether what lies at `path` inside a route's schema only says something to people. */
export function isAnnotation(path: readonly (string | number)[]): boolean {
  const { length } = path
  if (length === 0) return false
  const key = path[length - 1]
  if (length === 1) return typeof key === 'string' && annotations.has(key)
  const parent = path[length - 2]
  if (typeof key === 'number') return parent === 'examples' || parent === 'tags'
  return typeof key === 'string' && annotations.has(key) && !schemaTables.has(String(parent))
}

/** Of an annotation it is enough to know one outcome. */
export function anyKnown(value: Value): Value {
  const options = optionsOf(value)
  return options.find((option) => option.kind !== 'unknown') ?? options[0] ?? value
}
