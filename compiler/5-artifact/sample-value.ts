/** Makes a value that roughly fits a schema, so that most of the compiled code runs on it. */
import { fragmentPath, isMembers, valueAt, type Members } from '../util/json.ts'

/** Limits circular references. */
const MAX_DEPTH = 8

/** A larger value is made again with less depth: schemas with many references to each other have huge ones. */
const MAX_PARTS = 10_000

/** @param externals shared schemas by `$id` */
export function sampleValue(
  schema: unknown,
  externals: Readonly<Record<string, unknown>>,
): unknown {
  let left: number
  let value: unknown
  let depth = MAX_DEPTH
  do {
    left = MAX_PARTS
    value = sample(schema, schema, depth--)
  } while (left < 0 && depth >= 0)
  return value

  /** @param root the document of references without an address */
  function sample(part: unknown, root: unknown, depth: number): unknown {
    if (part === null || typeof part !== 'object' || --left < 0 || depth < 0) return null
    const { $ref, const: constant, enum: options, allOf, anyOf, oneOf, ...rest } = part as Members
    if (typeof $ref === 'string') {
      const [address = '', fragment = ''] = $ref.split('#')
      const target = address === '' ? root : (externals[address] ?? externals[$ref])
      return sample(valueAt(target, fragmentPath(target, fragment) ?? []), target, depth - 1)
    }
    if (constant !== undefined) return constant
    if (Array.isArray(options)) return options[0]
    const typed = ofType(rest, (inner) => sample(inner, root, depth - 1))
    const [branch] = [allOf, anyOf, oneOf].flat().filter((one) => one !== undefined)
    if (branch === undefined) return typed
    const chosen = sample(branch, root, depth - 1)
    return isMembers(typed) && isMembers(chosen) ? { ...typed, ...chosen } : (typed ?? chosen)
  }
}

function ofType(schema: Members, sample: (schema: unknown) => unknown): unknown {
  const { type, properties, optionalProperties, items, prefixItems, elements } = schema
  const first = Array.isArray(type) ? type.find((one) => one !== 'null') : (type as unknown)
  switch (first) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
    case undefined:
      if (isMembers(properties) || isMembers(optionalProperties)) break
      if (Array.isArray(items ?? prefixItems))
        return ((items ?? prefixItems) as unknown[]).map(sample)
      return first === 'array' || items || elements ? [sample(items ?? elements)] : undefined
    case 'object':
      break
    default:
      return 'a'
  }
  const members = Object.entries({ ...(properties as Members), ...(optionalProperties as Members) })
  // Assigning to `__proto__` would not add a member.
  return Object.fromEntries(members.map(([name, member]) => [name, sample(member)]))
}
