import { keyOf, withoutTypes } from '../constant-expression.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'

/**
 * Returns the node of the value at `path` inside a literal of plain data, or of its name; `undefined` if there is none.
 *
 * @param path not empty
 */
export function placeInData(
  root: Node,
  path: readonly (string | number)[],
  what?: 'name',
): Node | undefined {
  let place = root
  for (const [depth, key] of path.entries()) {
    if (ts.isObjectLiteralExpression(place)) {
      const property = place.properties.findLast(
        ({ name }) => name !== undefined && keyOf(name) === String(key),
      ) as ts.PropertyAssignment | undefined
      if (property === undefined) return undefined
      const isName = what === 'name' && depth === path.length - 1
      place = isName ? property.name : withoutTypes(property.initializer)
    } else if (ts.isArrayLiteralExpression(place)) {
      const element = place.elements[Number(key)]
      if (element === undefined) return undefined
      place = withoutTypes(element)
    } else return undefined
  }
  return place
}
