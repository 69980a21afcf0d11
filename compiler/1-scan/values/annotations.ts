import { annotations, schemaTables } from '../../../runtime/artifact/annotations.ts'
import { optionsOf } from './index.ts'
import type { Value } from './index.ts'

/** Whether what lies at `path` inside a route's schema only says something to people. */
export function isAnnotation(path: readonly (string | number)[]): boolean {
  const [parent, key] = path.slice(-2)
  if (path.length < 2) return typeof parent === 'string' && annotations.has(parent)
  if (typeof key === 'number') return parent === 'examples' || parent === 'tags'
  return typeof key === 'string' && annotations.has(key) && !schemaTables.has(String(parent))
}

/** Of an annotation it is enough to know one outcome. */
export function anyKnown(value: Value): Value {
  const options = optionsOf(value)
  return options.find((option) => option.kind !== 'unknown') ?? options[0] ?? value
}
