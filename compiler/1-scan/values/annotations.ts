/** Parts of route schemas that only document, such as `description`. `withoutAnnotations` of the runtime removes them. */
import { annotations } from '../../../runtime/artifact/annotations.ts'
import { schemaTables } from '../../../runtime/artifact/keywords.ts'
import { optionsOf } from './choices.ts'
import type { Value } from './index.ts'

/** Keywords whose values aren't schemas: a `title` in them is data. */
const dataKeywords: ReadonlySet<string | number> = new Set(['const', 'default', 'enum'])

/** Returns whether the value at `path` inside a route's schema is documentation only. */
export function isAnnotation(path: readonly (string | number)[]): boolean {
  const last = path.length - 1
  let isName = false
  for (const [index, key] of path.entries()) {
    const parent = path[index - 1]
    if (index === last && !isName) {
      return typeof key === 'number'
        ? parent === 'examples' || parent === 'tags'
        : annotations.has(key)
    }
    // The response for all other statuses is named `default`.
    if (!isName && dataKeywords.has(key) && parent !== 'response') return false
    isName = !isName && schemaTables.has(String(key))
  }
  return false
}

/** Returns one outcome of an annotation, known if possible: nothing is compiled from it, so one is enough. */
export function anyKnown(value: Value): Value {
  const options = optionsOf(value)
  return options.find((option) => option.kind !== 'unknown') ?? options[0] ?? value
}
