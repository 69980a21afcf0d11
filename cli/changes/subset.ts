/**
 * Finds values that one schema accepts and another rejects.
 *
 * Every constraint of the other schema is checked separately: it holds if something in the first schema
 * implies it. What can't be proven counts as rejected. Unknown keywords must be equal
 * on both sides.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Alternative, Type } from './alternatives.ts'
import { alternativesOf, has, listedBy, listOf, typeNames, typesOf } from './alternatives.ts'
import { checkArray } from './arrays.ts'
import { areDisjoint, hasEqual } from './facts.ts'
import { distinct, finding, isRefusal, type Finding, type Path } from './findings.ts'
import { follow, followAliases, innerNode, isSame, membersOf, type SchemaNode } from './nodes.ts'
import { checkObject } from './objects.ts'
import { checkNumber, checkString } from './scalars.ts'

/** Differences between validators and serializers that matter to a comparison, besides what they accept. */
export interface CompareOptions {
  /** Requests: values are coerced to the expected type. */
  readonly coerces: boolean
  /** Requests: a single value becomes an array where one is expected. */
  readonly wraps: boolean
  /** Requests: missing members get their default. */
  readonly fillsDefaults: boolean
  /** Undeclared members are removed, so none is rejected. */
  readonly dropsOthers: boolean
  /** Responses: clients miss a declared member that was removed. */
  readonly missesRemoved: boolean
}

export type Narrow = (
  nodes: readonly SchemaNode[],
  other: SchemaNode,
  path: Path,
) => readonly Finding[]

/** Arguments for checking one keyword. */
export interface Checked {
  readonly one: Alternative
  /** The schema whose own keywords are checked. */
  readonly other: SchemaNode
  readonly path: Path
  readonly options: CompareOptions
  readonly narrow: Narrow
}

/** Returns what `other` may reject of the values that match all of `nodes`. */
export function refusedBy(
  other: SchemaNode,
  nodes: readonly SchemaNode[],
  options: CompareOptions,
): readonly Finding[] {
  const numbers = new WeakMap<object, number>()
  const results = new Map<string, readonly Finding[]>()
  let count = 0
  return narrow(nodes, other, [], false)

  function narrow(
    given: readonly SchemaNode[],
    schema: SchemaNode,
    path: Path,
    isBranch: boolean,
  ): readonly Finding[] {
    const [some, against] = [given.map(followAliases), followAliases(schema)]
    if (some.some((node) => isSame(node, against))) return []
    const key = [isBranch, ...[...some, against].map(({ schema }) => numberOf(schema))].join(' ')
    let found = results.get(key)
    if (found === undefined) {
      // For recursive schemas, a comparison in progress is assumed to hold.
      results.set(key, [])
      found = distinct([
        ...alternativesOf(some).flatMap((one) => refuse(one, against, [], isBranch)),
        ...changedDefault(some, against, isBranch),
      ])
      results.set(key, found)
    }
    return found.map((one) => ({ ...one, path: [...path, ...one.path] }))
  }

  function numberOf(schema: unknown): string {
    if (typeof schema !== 'object' || schema === null) return String(schema)
    let number = numbers.get(schema)
    if (number === undefined) numbers.set(schema, (number = ++count))
    return String(number)
  }

  /** @param isBranch true to ignore defaults, as Ajv does inside of `anyOf` and `oneOf` */
  function refuse(
    one: Alternative,
    against: SchemaNode,
    path: Path,
    isBranch: boolean,
    enclosing: ReadonlySet<unknown> = new Set(),
  ): Finding[] {
    // In a reference cycle, the keywords of this schema are being checked already.
    if (enclosing.has(against.schema)) return []
    const inPlace = new Set([...enclosing, against.schema])
    if (against.schema === false) return [finding(path, 'false', one.type, undefined)]
    const members = membersOf(against)
    const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = members
    const found: Finding[] = []
    const ownOptions = isBranch ? { ...options, fillsDefaults: false } : options
    const checked: Checked = {
      one,
      other: against,
      path,
      options: ownOptions,
      narrow: (some, schema, at) => narrow(some, schema, at, isBranch),
    }
    const refuseHere = (schema: unknown): Finding[] =>
      refuse(one, innerNode(against, schema), path, isBranch, inPlace)
    if (typeof $ref === 'string') {
      const target = follow(against, $ref)
      if (target !== undefined) found.push(...refuse(one, target, path, isBranch, inPlace))
      else if (!one.atoms.some((atom) => membersOf(atom)['$ref'] === $ref))
        found.push(finding(path, '$ref', undefined, $ref))
    }
    const converted = convert(checked)
    if (converted === undefined) return [...found, finding(path, 'type', one, typeNames(members))]
    if (converted !== 'same') return [...found, ...converted]
    const listed = listedBy(against)
    if (listed !== undefined && !one.values?.every((value) => has(listed, value))) {
      const lost = one.values?.filter((value) => !has(listed, value))
      found.push(finding(path, 'enum', lost ?? one, listed))
    }
    found.push(...(checksByType[one.type]?.(checked) ?? []))
    for (const schema of listOf(allOf)) found.push(...refuseHere(schema))
    if (Array.isArray(anyOf)) found.push(...fits(one, against, anyOf, path, 'anyOf', inPlace))
    if (Array.isArray(oneOf)) found.push(...fits(one, against, oneOf, path, 'oneOf', inPlace))
    if (not !== undefined && !isExcluded(one, innerNode(against, not))) {
      found.push(finding(path, 'not', undefined, not))
    }
    if (condition !== undefined) {
      const when = innerNode(against, condition)
      // Results for the same condition hold for the same values.
      const same = one.atoms.filter((atom) => isSame(innerNode(atom, membersOf(atom)['if']), when))
      const before = (keyword: 'then' | 'else'): SchemaNode[] =>
        same.map((atom) => innerNode(atom, membersOf(atom)[keyword] ?? true))
      for (const [branch, extra] of [
        [then, [when, ...before('then')]],
        [otherwise, before('else')],
      ] as const) {
        if (branch === undefined) continue
        for (const narrower of alternativesOf([...one.atoms, ...extra])) {
          if (narrower.type !== one.type) continue
          found.push(...refuse(narrower, innerNode(against, branch), path, true, inPlace))
        }
      }
    }
    for (const [keyword, value] of Object.entries(members)) {
      if (understood.has(keyword)) continue
      if (!hasEqual(one, keyword, innerNode(against, value)))
        found.push(finding(path, keyword, undefined, value))
    }
    return found
  }

  /** Checks that one of several schemas matches; for `oneOf`, exactly one. */
  function fits(
    one: Alternative,
    against: SchemaNode,
    schemas: readonly unknown[],
    path: Path,
    keyword: 'anyOf' | 'oneOf',
    inPlace: ReadonlySet<unknown>,
  ): Finding[] {
    const branches = schemas.map((schema) => innerNode(against, schema))
    const tried = branches.map((branch) => refuse(one, branch, path, true, inPlace))
    const index = tried.findIndex((found) => !found.some(isRefusal))
    if (index === -1) {
      // Among the branches for values of this type, the closest one explains the difference.
      const near = tried.filter((found) => !found.some((each) => isAt(each, path, 'type')))
      const [nearest] = near.toSorted((a, b) => a.length - b.length)
      return nearest ?? [finding(path, keyword, one, schemas.length)]
    }
    if (keyword === 'anyOf') return []
    const hasOther = branches.some(
      (branch, i) => i !== index && !areDisjoint([one], branch, options.coerces),
    )
    // If the first schema has a `oneOf` with all branches, values match only one of them, unless a branch is repeated.
    const isRepeated = branches.some(
      (branch, i) => i !== index && isSame(branch, branches[index] as SchemaNode),
    )
    const isKept = one.atoms.some((atom) => {
      const before = listOf(membersOf(atom)['oneOf']).map((schema) => innerNode(atom, schema))
      return branches.every((branch) => before.some((was) => isSame(was, branch)))
    })
    return hasOther && (isRepeated || !isKept) ? [finding(path, 'oneOf', one, schemas.length)] : []
  }

  function isExcluded(one: Alternative, excluded: SchemaNode): boolean {
    if (areDisjoint([one], excluded, options.coerces)) return true
    return one.atoms.some((atom) => {
      const { not } = membersOf(atom)
      return (
        not !== undefined && !narrow([excluded], innerNode(atom, not), [], true).some(isRefusal)
      )
    })
  }

  function changedDefault(
    some: readonly SchemaNode[],
    against: SchemaNode,
    isBranch: boolean,
  ): readonly Finding[] {
    if (!options.fillsDefaults || isBranch) return []
    const before = some
      .map((node) => membersOf(node)['default'])
      .find((value) => value !== undefined)
    const now = membersOf(against)['default']
    if (before === undefined || isDeepStrictEqual(before, now)) return []
    return [finding([], 'default', before, now)]
  }

  /** Returns `same` if the type is allowed; otherwise what coercion rejects, or undefined if coercion may fail. */
  function convert({ one, other: against, path }: Checked): 'same' | undefined | Finding[] {
    const members = membersOf(against)
    const allowed = typesOf(members)
    if (allowed === undefined) return 'same'
    const kind = allowed.get(one.type)
    const isWhole = one.values?.every(Number.isInteger) ?? one.isInteger
    if (kind === 'any' || (kind === 'integer' && isWhole)) return 'same'
    if (!options.coerces) return undefined
    // Ajv converts to the first listed type that it can convert to, even if the result is rejected then.
    const target = [...allowed.keys()].find(
      (type) => type !== one.type && type !== 'object' && (type !== 'array' || options.wraps),
    )
    const isScalar = one.type === 'number' || one.type === 'boolean'
    if (isScalar && target === 'string') {
      const values = one.values?.map(String)
      return refuse({ type: 'string', isInteger: false, atoms: [], values }, against, path, true)
    }
    if (options.wraps && target === 'array' && one.type !== 'object') {
      const { items } = members
      const isOther = (keyword: string): boolean =>
        understood.has(keyword) && keyword !== 'items' && keyword !== '$ref'
      const others = Object.entries(members).filter(([keyword]) => isOther(keyword))
      const rest = { ...against, schema: Object.fromEntries(others) }
      const atoms = [innerNode(against, { minItems: 1, maxItems: 1 })]
      const asArray: Alternative = { type: 'array', isInteger: false, atoms, values: undefined }
      if (Array.isArray(items) || refuse(asArray, rest, path, true).length > 0) return undefined
      return items === undefined ? [] : refuse(one, innerNode(against, items), path, true)
    }
    return undefined
  }
}

const checksByType: Readonly<Partial<Record<Type, (checked: Checked) => readonly Finding[]>>> = {
  string: checkString,
  number: checkNumber,
  array: checkArray,
  object: checkObject,
}

function isAt({ path, keyword }: Finding, place: Path, name: string): boolean {
  return keyword === name && path.length === place.length
}

/** Keywords that are checked, and those that reject nothing. */
const understood: ReadonlySet<string> = new Set(
  `$ref type nullable enum const allOf anyOf oneOf not if then else
  minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains
  properties patternProperties additionalProperties required propertyNames minProperties maxProperties
  dependencies dependentRequired dependentSchemas discriminator
  $id $schema $anchor $comment $defs definitions title description default deprecated readOnly writeOnly examples
  example contentMediaType contentEncoding headers`.split(/\s+/),
)
