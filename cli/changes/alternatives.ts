/** Splits a schema into alternatives of one type each, to which keywords apply independently. */
import { isDeepStrictEqual } from 'node:util'
import { isMembers, type Members } from '../../compiler/util/json.ts'
import { follow, innerNode, membersOf, type SchemaNode } from './nodes.ts'

const types = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

export type Type = (typeof types)[number]

/** Values of one type that match all of `atoms`, in which `$ref`, `allOf`, `anyOf`, `oneOf` and `if` are already expanded. */
export interface Alternative {
  readonly type: Type
  /** True for numbers without a fraction. */
  readonly isInteger: boolean
  readonly atoms: readonly SchemaNode[]
  readonly values: readonly unknown[] | undefined
}

/** Above this number, branches are left unexpanded, which widens the set of values. */
const MAX_ALTERNATIVES = 64

export function alternativesOf(nodes: readonly SchemaNode[]): readonly Alternative[] {
  let all: readonly SchemaNode[][] = [[]]
  for (const node of nodes) {
    const ways = expand(node, new Set())
    all = product(all, all.length * ways.length <= MAX_ALTERNATIVES ? ways : [[node]])
  }
  return all.flatMap(split)
}

/**
 * Returns all ways to match a schema, each as a list of schemas whose own keywords hold together.
 *
 * @param around the schemas being expanded: a reference cycle constrains nothing
 */
function expand(node: SchemaNode, around: ReadonlySet<unknown>): SchemaNode[][] {
  const { schema } = node
  if (schema === false) return []
  if (!isMembers(schema) || around.has(schema)) return [[]]
  const seen = new Set([...around, schema])
  const of = (one: unknown): SchemaNode[][] => expand(innerNode(node, one), seen)
  let ways: SchemaNode[][] = [[node]]
  const combine = (more: readonly SchemaNode[][]): void => {
    if (ways.length * more.length <= MAX_ALTERNATIVES) ways = product(ways, more)
  }
  const { $ref, allOf, anyOf, oneOf, if: condition, then = true, else: otherwise = true } = schema
  if (typeof $ref === 'string') {
    const target = follow(node, $ref)
    if (target !== undefined) combine(expand(target, seen))
  }
  for (const one of listOf(allOf)) combine(of(one))
  for (const branches of [anyOf, oneOf]) {
    if (Array.isArray(branches)) combine(branches.flatMap(of))
  }
  // `else` also keeps values that match `if`, which widens the set.
  if (condition !== undefined) combine([...product(of(condition), of(then)), ...of(otherwise)])
  return ways
}

function product(some: readonly SchemaNode[][], others: readonly SchemaNode[][]): SchemaNode[][] {
  return some.flatMap((one) => others.map((other) => [...one, ...other]))
}

/** All values of types that have few. */
const finiteTypes: Readonly<Partial<Record<Type, readonly unknown[]>>> = {
  null: [null],
  boolean: [true, false],
}

function split(atoms: readonly SchemaNode[]): Alternative[] {
  const allowed = atoms.map((atom) => typesOf(membersOf(atom)))
  const values = valuesOf(atoms)
  return types.flatMap((type) => {
    const kinds = allowed.map((one) => (one === undefined ? 'any' : one.get(type)))
    if (kinds.includes(undefined)) return []
    const isInteger = kinds.includes('integer')
    const typeValues = (values ?? finiteTypes[type])?.filter(
      (value) => typeOf(value) === type && (!isInteger || Number.isInteger(value)),
    )
    return typeValues?.length === 0 ? [] : [{ type, isInteger, atoms, values: typeValues }]
  })
}

/** Returns the types that a schema allows, if it restricts them. */
export function typesOf({
  type,
  nullable,
}: Members): ReadonlyMap<Type, 'any' | 'integer'> | undefined {
  if (type === undefined) return undefined
  const allowed = new Map<Type, 'any' | 'integer'>()
  for (const one of [type].flat()) {
    if (one === 'integer') allowed.set('number', allowed.get('number') ?? 'integer')
    else allowed.set(one as Type, 'any')
  }
  if (nullable === true) allowed.set('null', 'any')
  return allowed
}

/** Returns the names of the types that a schema allows, if it restricts them. */
export function typeNames({ type, nullable }: Members): readonly unknown[] | undefined {
  if (type === undefined) return undefined
  return [...new Set([type, nullable === true ? 'null' : []].flat(2))]
}

/** Returns the values, if they are listed. */
function valuesOf(atoms: readonly SchemaNode[]): readonly unknown[] | undefined {
  let values: readonly unknown[] | undefined
  for (const atom of atoms) {
    const listed = listedBy(atom)
    if (listed === undefined) continue
    values = values === undefined ? listed : values.filter((value) => has(listed, value))
  }
  return values
}

export function listedBy(node: SchemaNode): readonly unknown[] | undefined {
  const members = membersOf(node)
  const listed = Array.isArray(members['enum']) ? (members['enum'] as unknown[]) : undefined
  if (!('const' in members)) return listed
  const value = members['const']
  return listed === undefined || has(listed, value) ? [value] : []
}

export function has(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => isDeepStrictEqual(one, value))
}

export function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Type
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
