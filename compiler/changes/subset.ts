/**
 * Which values that one schema accepts another may refuse.
 *
 * Every constraint of the other schema is looked at alone: it holds when something in the first one implies it. What
 * cannot be shown counts as refused, so that nothing is missed; unknown keywords have to be the same on both sides.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Alternative } from './alternatives.ts'
import { alternativesOf, has, listedBy, listOf, typesOf } from './alternatives.ts'
import { checkArray } from './arrays.ts'
import { areDisjoint } from './disjoint.ts'
import { stands } from './facts.ts'
import type { Finding, Path } from './findings.ts'
import { distinct, finding, isRefusal } from './findings.ts'
import type { SchemaNode } from './nodes.ts'
import { direct, follow, inner, isSame, membersOf } from './nodes.ts'
import { checkObject } from './objects.ts'
import { checkNumber, checkString } from './scalars.ts'

/** What validators and serializers do beside accepting and refusing. */
export interface Manner {
  /** Requests: values are converted where their type does not fit. */
  readonly coerces: boolean
  /** Requests: a value becomes a list of one where a list is expected. */
  readonly wraps: boolean
  /** Requests: members that are missing get their default. */
  readonly fillsDefaults: boolean
  /** Members that are not declared are left out, so that none is refused. */
  readonly dropsOthers: boolean
  /** Responses: whoever reads them misses a declared member that is not declared any more. */
  readonly misses: boolean
}

/** Compares what lies inside. */
export type Narrow = (
  nodes: readonly SchemaNode[],
  other: SchemaNode,
  path: Path,
) => readonly Finding[]

/** What a check of one keyword gets. */
export interface Checked {
  readonly one: Alternative
  /** The schema whose own keywords are checked. */
  readonly other: SchemaNode
  readonly path: Path
  readonly manner: Manner
  readonly narrow: Narrow
}

/** What `other` may refuse of what all of `nodes` accept. */
export function refusedBy(
  other: SchemaNode,
  nodes: readonly SchemaNode[],
  manner: Manner,
): readonly Finding[] {
  const numbers = new WeakMap<object, number>()
  const known = new Map<string, readonly Finding[]>()
  let count = 0
  return narrow(nodes, other, [], false)

  function narrow(
    given: readonly SchemaNode[],
    schema: SchemaNode,
    path: Path,
    isBranch: boolean,
  ): readonly Finding[] {
    const [some, against] = [given.map(direct), direct(schema)]
    if (some.some((node) => isSame(node, against))) return []
    const key = [isBranch, ...[...some, against].map(({ schema }) => numberOf(schema))].join(' ')
    let found = known.get(key)
    if (found === undefined) {
      // Schemas that refer to themselves: what is being compared already is taken to hold.
      known.set(key, [])
      found = distinct([
        ...alternativesOf(some).flatMap((one) => refuse(one, against, [], isBranch)),
        ...changedDefault(some, against, isBranch),
      ])
      known.set(key, found)
    }
    return found.map((one) => ({ ...one, path: [...path, ...one.path] }))
  }

  function numberOf(schema: unknown): string {
    if (typeof schema !== 'object' || schema === null) return String(schema)
    let number = numbers.get(schema)
    if (number === undefined) numbers.set(schema, (number = ++count))
    return String(number)
  }

  /** @param isBranch whether it is tried only: defaults are not filled in there */
  function refuse(
    one: Alternative,
    against: SchemaNode,
    path: Path,
    isBranch: boolean,
    around: ReadonlySet<unknown> = new Set(),
  ): Finding[] {
    // What leads to itself before it says anything asks for nothing more.
    if (around.has(against.schema)) return []
    const inPlace = new Set([...around, against.schema])
    if (against.schema === false) return [finding(path, 'false', one.type, undefined)]
    const members = membersOf(against)
    const { type, $ref, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = members
    const found: Finding[] = []
    const ownManner = isBranch ? { ...manner, fillsDefaults: false } : manner
    const checked: Checked = {
      one,
      other: against,
      path,
      manner: ownManner,
      narrow: (some, schema, at) => narrow(some, schema, at, isBranch),
    }
    const again = (schema: unknown): Finding[] =>
      refuse(one, inner(against, schema), path, isBranch, inPlace)
    if (typeof $ref === 'string') {
      const target = follow(against, $ref)
      if (target !== undefined) found.push(...refuse(one, target, path, isBranch, inPlace))
      else if (!one.atoms.some((atom) => membersOf(atom)['$ref'] === $ref))
        found.push(finding(path, '$ref', undefined, $ref))
    }
    const converted = convert(checked)
    if (converted === undefined) return [...found, finding(path, 'type', one, type)]
    if (converted !== 'same') return [...found, ...converted]
    const listed = listedBy(against)
    if (listed !== undefined && !one.values?.every((value) => has(listed, value))) {
      const lost = one.values?.filter((value) => !has(listed, value))
      found.push(finding(path, 'enum', lost ?? one, listed))
    }
    found.push(...checkType(checked))
    for (const schema of listOf(allOf)) found.push(...again(schema))
    if (Array.isArray(anyOf)) found.push(...fits(one, against, anyOf, path, 'anyOf', inPlace))
    if (Array.isArray(oneOf)) found.push(...fits(one, against, oneOf, path, 'oneOf', inPlace))
    if (not !== undefined && !isExcluded(one, inner(against, not))) {
      found.push(finding(path, 'not', undefined, not))
    }
    if (condition !== undefined) {
      const when = inner(against, condition)
      // What the same condition led to before holds for the same values.
      const same = one.atoms.filter((atom) => isSame(inner(atom, membersOf(atom)['if']), when))
      const before = (keyword: 'then' | 'else'): SchemaNode[] =>
        same.map((atom) => inner(atom, membersOf(atom)[keyword] ?? true))
      for (const [branch, extra] of [
        [then, [when, ...before('then')]],
        [otherwise, before('else')],
      ] as const) {
        if (branch === undefined) continue
        for (const narrower of alternativesOf([...one.atoms, ...extra])) {
          if (narrower.type !== one.type) continue
          found.push(...refuse(narrower, inner(against, branch), path, true, inPlace))
        }
      }
    }
    for (const [keyword, value] of Object.entries(members)) {
      if (understood.has(keyword)) continue
      if (!stands(one, keyword, inner(against, value)))
        found.push(finding(path, keyword, undefined, value))
    }
    return found
  }

  /** Whether one of several schemas takes it; of `oneOf`, no other may. */
  function fits(
    one: Alternative,
    against: SchemaNode,
    schemas: readonly unknown[],
    path: Path,
    keyword: 'anyOf' | 'oneOf',
    inPlace: ReadonlySet<unknown>,
  ): Finding[] {
    const branches = schemas.map((schema) => inner(against, schema))
    const tried = branches.map((branch) => refuse(one, branch, path, true, inPlace))
    const index = tried.findIndex((found) => !found.some(isRefusal))
    if (index === -1) {
      // Of the branches that are for such values at all, the nearest says what is wrong.
      const near = tried.filter((found) => !found.some((each) => isAt(each, path, 'type')))
      const [nearest] = near.toSorted((a, b) => a.length - b.length)
      return nearest ?? [finding(path, keyword, one, schemas.length)]
    }
    if (keyword === 'anyOf') return []
    const hasOther = branches.some(
      (branch, i) => i !== index && !areDisjoint([one], branch, manner.coerces),
    )
    const before = one.atoms.flatMap((atom) =>
      listOf(membersOf(atom)['oneOf']).map((schema) => inner(atom, schema)),
    )
    const isKept = branches.every((branch) => before.some((was) => isSame(was, branch)))
    return hasOther && !isKept ? [finding(path, 'oneOf', one, schemas.length)] : []
  }

  function isExcluded(one: Alternative, excluded: SchemaNode): boolean {
    if (areDisjoint([one], excluded, manner.coerces)) return true
    return one.atoms.some((atom) => {
      const { not } = membersOf(atom)
      return not !== undefined && !narrow([excluded], inner(atom, not), [], true).some(isRefusal)
    })
  }

  function changedDefault(
    some: readonly SchemaNode[],
    against: SchemaNode,
    isBranch: boolean,
  ): readonly Finding[] {
    if (!manner.fillsDefaults || isBranch) return []
    const was = some.map((node) => membersOf(node)['default']).find((value) => value !== undefined)
    const is = membersOf(against)['default']
    if (was === undefined || isDeepStrictEqual(was, is)) return []
    return [finding([], 'default', was, is)]
  }

  /** Whether the type fits as it is; else what is refused after the conversion, `undefined` when there is none. */
  function convert({ one, other: against, path }: Checked): 'same' | undefined | Finding[] {
    const members = membersOf(against)
    const allowed = typesOf(members)
    if (allowed === undefined) return 'same'
    const kind = allowed.get(one.type)
    const isWhole = one.values?.every(Number.isInteger) ?? one.isInteger
    if (kind === 'any' || (kind === 'integer' && isWhole)) return 'same'
    if (!manner.coerces) return undefined
    const isScalar = one.type === 'number' || one.type === 'boolean'
    if (isScalar && allowed.has('string')) {
      const asText: Alternative = {
        type: 'string',
        isInteger: false,
        atoms: [],
        values: one.values?.map(String),
      }
      return refuse(asText, against, path, true)
    }
    if (manner.wraps && allowed.has('array') && one.type !== 'object') {
      const { minItems, contains, items } = members
      if (contains !== undefined || (typeof minItems === 'number' && minItems > 1)) return undefined
      if (items === undefined) return []
      return Array.isArray(items) ? undefined : refuse(one, inner(against, items), path, true)
    }
    return undefined
  }
}

function checkType(checked: Checked): readonly Finding[] {
  switch (checked.one.type) {
    case 'string':
      return checkString(checked)
    case 'number':
      return checkNumber(checked)
    case 'array':
      return checkArray(checked)
    case 'object':
      return checkObject(checked)
    case 'null':
    case 'boolean':
      return []
  }
}

function isAt({ path, keyword }: Finding, place: Path, name: string): boolean {
  return keyword === name && path.length === place.length
}

/** Keywords that are checked, and those that refuse nothing. */
const understood: ReadonlySet<string> = new Set(
  `$ref type nullable enum const allOf anyOf oneOf not if then else
  minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains
  properties patternProperties additionalProperties required propertyNames minProperties maxProperties
  dependencies dependentRequired dependentSchemas discriminator
  $id $schema $anchor $comment $defs definitions title description default deprecated readOnly writeOnly examples
  example contentMediaType contentEncoding headers`.split(/\s+/),
)
