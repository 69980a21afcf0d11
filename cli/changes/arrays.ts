/** Checks the keywords of arrays, for `subset.ts`. */
import { usesOf, highest, itemNodes, itemSchema, lowest, tupleLength, tupleOf } from './facts.ts'
import { finding, type Finding } from './findings.ts'
import { innerNode, isSame, membersOf } from './nodes.ts'
import { checkCount } from './scalars.ts'
import type { Checked } from './subset.ts'

export function checkArray(checked: Checked): readonly Finding[] {
  const { one, other, path, narrow } = checked
  const members = membersOf(other)
  const { uniqueItems, contains, minContains, maxContains } = members
  const found: Finding[] = []
  const lists = one.values as readonly (readonly unknown[])[] | undefined
  if (lists !== undefined) {
    // Literal arrays, as in an `enum`, aren't checked against the keywords: any keyword counts as a difference.
    return Object.keys(members).some((keyword) => arrayKeywords.has(keyword))
      ? [finding(path, 'items', lists, members['items'])]
      : []
  }
  const least = highest(one, 'minItems')
  const most = lowest(one, 'maxItems')
  found.push(...checkCount(checked, 'minItems', least ?? 0, least))
  found.push(...checkCount(checked, 'maxItems', most ?? Infinity, most))
  if (uniqueItems === true && (most ?? Infinity) > 1) {
    if (!usesOf(one, 'uniqueItems').some(({ value }) => value === true))
      found.push(finding(path, 'uniqueItems', undefined, true))
  }
  if (contains !== undefined) {
    const isKept = one.atoms.some((atom) => {
      const same = membersOf(atom)
      // Beside a tuple such as `items: [{ type }]`, Ajv accepts an empty array despite `contains`.
      const tuple = innerNode(atom, same['items'])
      if (Array.isArray(tuple.schema) && !isSame(tuple, innerNode(other, members['items'])))
        return false
      return (
        isSame(innerNode(atom, same['contains']), innerNode(other, contains)) &&
        same['minContains'] === minContains &&
        same['maxContains'] === maxContains
      )
    })
    if (!isKept) found.push(finding(path, 'contains', undefined, contains))
  }
  // All items after the last positional one are alike.
  const places = Math.max(tupleLength(one), tupleOf(members).length)
  for (let index = 0; index <= places; index++) {
    if (most !== undefined && index >= most) break
    const schema = itemSchema(members, index)
    if (schema === undefined || schema === true) continue
    const position = index === places ? '…' : index
    const name = places === 0 ? '[]' : `[${position}]`
    const items = itemNodes(one, index)
    // An array that ends here has no such item.
    if (items.some((item) => item.schema === false)) continue
    found.push(...narrow(items, innerNode(other, schema), [...path, name]))
  }
  return found
}

const arrayKeywords: ReadonlySet<string> = new Set(
  'items prefixItems additionalItems minItems maxItems uniqueItems contains'.split(' '),
)
