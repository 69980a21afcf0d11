/** Parts of route schemas that only document, such as `description`. */
import { annotations } from '../../../runtime/artifact/annotations.ts'
import { schemaTables } from '../../../runtime/artifact/keywords.ts'
import { optionsOf, type Value } from './index.ts'

/** Returns whether the value at `path` inside a route's schema is documentation only. */
export function isAnnotation(path: readonly (string | number)[]): boolean {
  const { length } = path
  if (length === 0) return false
  const key = path[length - 1]
  if (length === 1) return typeof key === 'string' && annotations.has(key)
  const parent = path[length - 2]
  if (typeof key === 'number') return parent === 'examples' || parent === 'tags'
  return typeof key === 'string' && annotations.has(key) && !schemaTables.has(String(parent))
}

/** Returns one known outcome of an annotation: nothing is compiled from it, so one is enough. */
export function anyKnown(value: Value): Value {
  const options = optionsOf(value)
  return options.find((option) => option.kind !== 'unknown') ?? options[0] ?? value
}
