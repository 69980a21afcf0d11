/** Schemas with the documents that their references lead to. */
import { isDeepStrictEqual } from 'node:util'
import { addressOf } from '../../runtime/artifact/reach.ts'
import {
  findMember,
  fragmentPath,
  isMembers,
  refsIn,
  valueAt,
  type Members,
} from '../../compiler/util/json.ts'

/** A schema in its document. References are relative to `document`, or name one of `shared`. */
export interface SchemaNode {
  readonly schema: unknown
  readonly document: unknown
  /** Shared schemas visible in its context, by `$id`. */
  readonly shared: Members
}

export function rootNode(schema: unknown, shared: Members): SchemaNode {
  return { schema, document: schema, shared }
}

/** Returns the node of a subschema. With an `$id`, it is a document of its own. */
export function innerNode(node: SchemaNode, schema: unknown): SchemaNode {
  return { ...node, schema, document: hasOwnId(schema) ? schema : node.document }
}

/** Returns the members of an object schema; none for boolean schemas. */
export function membersOf({ schema }: SchemaNode): Members {
  return isMembers(schema) ? schema : {}
}

/** Resolves a `$ref`. Returns undefined for unknown targets. */
export function follow(node: SchemaNode, ref: string): SchemaNode | undefined {
  const hash = ref.indexOf('#')
  const name = hash === -1 ? ref : ref.slice(0, hash)
  const fragment = hash === -1 ? '' : ref.slice(hash + 1)
  const document = name === '' ? node.document : documentOf(node, name)
  if (document === undefined) return undefined
  const path = fragmentPath(document, fragment)
  const found = path && valueAt(document, path)
  if (found === undefined) return undefined
  return innerNode({ ...node, document }, found)
}

/** Returns whether two schemas are equal, including the targets of their references. */
export function isSame(
  one: SchemaNode,
  other: SchemaNode,
  seen: [unknown, unknown][] = [],
): boolean {
  if (!isDeepStrictEqual(one.schema, other.schema)) return false
  return refsIn(one.schema).every((ref) => {
    const [a, b] = [follow(one, ref), follow(other, ref)]
    if (a === undefined || b === undefined) return a === b
    // A pair is compared once. One that differs ends the comparison, so all others count as equal, also in a cycle.
    if (seen.some(([first, second]) => first === a.schema && second === b.schema)) return true
    seen.push([a.schema, b.schema])
    return isSame(a, b, seen)
  })
}

/** Follows schemas that are only a `$ref`, so that repeated comparisons are recognized. Returns the node itself for a cycle of them. */
export function followAliases(node: SchemaNode): SchemaNode {
  const seen = new Set<unknown>()
  for (let one = node; !seen.has(one.schema);) {
    seen.add(one.schema)
    const { $ref, ...rest } = membersOf(one)
    const target = typeof $ref === 'string' ? follow(one, $ref) : undefined
    if (target === undefined || Object.keys(rest).some((key) => !keywordsWithoutEffect.has(key)))
      return one
    one = target
  }
  return node
}

const keywordsWithoutEffect: ReadonlySet<string> = new Set(['definitions', '$defs', '$schema'])

function documentOf({ document, shared }: SchemaNode, name: string): unknown {
  const address = addressOf(name)
  const isIt = (id: string): boolean => addressOf(id) === address
  const outer = Object.keys(shared).find(isIt)
  if (outer !== undefined) return shared[outer]
  const isName = (key: string | number, value: unknown): boolean =>
    key === '$id' && typeof value === 'string' && isIt(value)
  const path = findMember(document, isName)?.slice(0, -1)
  return path && valueAt(document, path)
}

function hasOwnId(schema: unknown): boolean {
  return isMembers(schema) && typeof schema['$id'] === 'string' && !schema['$id'].startsWith('#')
}
