/** Suggestions for misspelt keywords, formats, types and references. */
import { closest } from '../../report/closest.ts'
import { fragmentSteps, pathOf, pointerOf } from '../../util/json.ts'

export const keywords: readonly string[] = [
  '$comment $defs $id $ref $schema additionalItems additionalProperties allOf anyOf const contains default definitions',
  'dependencies description discriminator else enum examples exclusiveMaximum exclusiveMinimum format if items maximum',
  'maxItems maxLength maxProperties minimum minItems minLength minProperties multipleOf not nullable oneOf pattern',
  'patternProperties properties propertyNames required then title type uniqueItems',
].flatMap((line) => line.split(' '))

export const formats: readonly string[] = [
  'byte date date-time double duration email float hostname int32 int64 ipv4 ipv6 iso-date-time iso-time json-pointer',
  'json-pointer-uri-fragment password regex relative-json-pointer time uri uri-reference uri-template url uuid',
].flatMap((line) => line.split(' '))

export const types: readonly string[] = 'array boolean integer null number object string'.split(' ')

/** `Did you mean …?` */
export function didYouMean(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`
}

/** The JSON pointers of all objects in a value, and the anchors in it. */
export function pointersIn(value: unknown): readonly string[] {
  const found: string[] = []
  visit(value, [])
  return found

  function visit(one: unknown, path: readonly (string | number)[]): void {
    if (typeof one !== 'object' || one === null) return
    if (path.length > 0) found.push(pointerOf(path))
    for (const [key, member] of Object.entries(one)) {
      if (key !== '$id' && key !== '$anchor') visit(member, [...path, key])
      else if (typeof member !== 'string') visit(member, [...path, key])
      else if (key === '$anchor') found.push(member)
      else if (member.startsWith('#')) found.push(member.slice(1))
    }
  }
}

/** Returns anchors or pointers that are similar: those whose steps are all alike, else those with the same last step. */
export function nearPointers(pointer: string, value: unknown): readonly string[] {
  const all = pointersIn(value)
  const anchors = all.filter((one) => !one.startsWith('/'))
  if (!pointer.startsWith('/')) return closest(pointer, anchors)
  const steps = fragmentSteps(pointer)
  const last = String(steps.at(-1) ?? '')
  const pointers = all.filter((one) => one.startsWith('/'))
  const alike = pointers.filter((one) => {
    const path = pathOf(one)
    return (
      path.length === steps.length &&
      path.every((step, i) => closest(String(steps[i]), [String(step)]).length > 0)
    )
  })
  if (alike.length > 0) return closest(pointer, alike)
  return pointers.filter((one) => pathOf(one).at(-1) === last).slice(0, 3)
}
