/** Checks the keywords of objects, for `subset.ts`. */
import { listOf } from './alternatives.ts'
import {
  declaredNames,
  highest,
  isRequired,
  lowest,
  matches,
  memberNodes,
  undeclaredNodes,
  patternNodes,
  hasEqual,
} from './facts.ts'
import { finding, type Finding } from './findings.ts'
import { checkCount } from './scalars.ts'
import { isMembers, type Members } from '../../compiler/util/json.ts'
import { innerNode, membersOf } from './nodes.ts'
import type { Checked } from './subset.ts'

export function checkObject(checked: Checked): readonly Finding[] {
  const { one, other, path } = checked
  const members = membersOf(other)
  // Listed objects (`enum`, `const`) aren't checked one by one: any keyword for objects may reject them.
  if (one.values !== undefined) {
    return Object.keys(members).some((keyword) => objectKeywords.has(keyword))
      ? [finding(path, 'properties', one.values, members['properties'])]
      : []
  }
  return [
    ...checkRequired(checked),
    ...checkCounts(checked),
    ...checkMembers(checked),
    ...['propertyNames', 'dependencies', 'dependentRequired', 'dependentSchemas'].flatMap(
      (keyword) => sameOrRefused(checked, keyword),
    ),
  ]
}

function checkRequired({ one, other, path, options }: Checked): Finding[] {
  const { required, properties } = membersOf(other)
  return listOf(required).flatMap((name) => {
    if (typeof name !== 'string' || isRequired(one, name)) return []
    const declared = isMembers(properties) ? [properties[name]] : []
    // Validators fill in the default of the schema that they check against, serializers that of the schema that they compile.
    const schemas = options.missesRemoved
      ? memberNodes(one, name).map(({ schema }) => schema)
      : declared
    const hasDefault = schemas.some(
      (schema) => isMembers(schema) && schema['default'] !== undefined,
    )
    return hasDefault && (options.fillsDefaults || options.missesRemoved)
      ? []
      : [finding([...path, name], 'required', false, true)]
  })
}

function checkCounts(checked: Checked): readonly Finding[] {
  const { one } = checked
  const named = declaredNames(one)
  const certain = named.filter((name) => isRequired(one, name)).length
  const least = Math.max(highest(one, 'minProperties') ?? 0, certain)
  const isClosed =
    undeclaredNodes(one) === undefined && declaredNames(one, 'patternProperties').length === 0
  const declared = lowest(one, 'maxProperties')
  const most = Math.min(declared ?? Infinity, isClosed ? named.length : Infinity)
  return [
    ...checkCount(checked, 'minProperties', least, least),
    ...checkCount(checked, 'maxProperties', most, declared),
  ]
}

function checkMembers({ one, other, path, options, narrow }: Checked): readonly Finding[] {
  const rules = membersOf(other)
  const properties = rulesOf(rules['properties'])
  const byPattern = rulesOf(rules['patternProperties'])
  const additional = rules['additionalProperties']
  const found: Finding[] = []
  const compare = (nodes: Parameters<typeof narrow>[0], schema: unknown, at: string): void =>
    void found.push(...narrow(nodes, innerNode(other, schema), [...path, at]))
  const declaresMembers =
    'properties' in rules || 'patternProperties' in rules || additional !== undefined
  const compareAdditional = (nodes: Parameters<typeof narrow>[0], at: string): void => {
    if (additional === undefined || additional === true) {
      if (declaresMembers) found.push(finding([...path, at], 'undeclared', true, false))
    } else if (additional !== false) compare(nodes, additional, at)
    else {
      const keyword = options.dropsOthers ? 'undeclared' : 'additionalProperties'
      found.push(finding([...path, at], keyword, true, false))
    }
  }

  const names = declaredNames(one)
  for (const name of names) {
    const nodes = memberNodes(one, name)
    if (nodes.some(({ schema }) => schema === false)) continue
    const patterns = Object.keys(byPattern).filter((pattern) => matches(pattern, name))
    if (Object.hasOwn(properties, name)) compare(nodes, properties[name], name)
    for (const pattern of patterns) compare(nodes, byPattern[pattern], name)
    if (!Object.hasOwn(properties, name) && patterns.length === 0) compareAdditional(nodes, name)
  }
  const ownPatterns = declaredNames(one, 'patternProperties')
  for (const pattern of ownPatterns) {
    const nodes = patternNodes(one, pattern)
    for (const [name, schema] of Object.entries(properties)) {
      if (!names.includes(name) && matches(pattern, name)) compare(nodes, schema, name)
    }
    for (const [each, schema] of Object.entries(byPattern)) compare(nodes, schema, each)
    if (!Object.hasOwn(byPattern, pattern)) compareAdditional(nodes, pattern)
  }
  const undeclared = undeclaredNodes(one)
  const isDeclared = (name: string): boolean =>
    names.includes(name) || ownPatterns.some((pattern) => matches(pattern, name))
  for (const [name, schema] of Object.entries(properties)) {
    if (isDeclared(name)) continue
    if (undeclared !== undefined) compare(undeclared, schema, name)
    else if (options.missesRemoved && schema !== false)
      found.push(finding([...path, name], 'missing', undefined, schema))
  }
  if (undeclared !== undefined) {
    for (const [pattern, schema] of Object.entries(byPattern))
      if (!ownPatterns.includes(pattern)) compare(undeclared, schema, pattern)
    if (additional === false && !options.dropsOthers)
      found.push(finding(path, 'additionalProperties', true, false))
    else if (isMembers(additional)) compare(undeclared, additional, '*')
  }
  return found
}

function rulesOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

/** Rejects any change of a keyword that isn't understood. */
function sameOrRefused({ one, other, path }: Checked, keyword: string): Finding[] {
  const value = membersOf(other)[keyword]
  if (value === undefined) return []
  return hasEqual(one, keyword, innerNode(other, value))
    ? []
    : [finding(path, keyword, undefined, value)]
}

const objectKeywords: ReadonlySet<string> = new Set(
  'properties patternProperties additionalProperties required propertyNames minProperties maxProperties dependencies dependentRequired dependentSchemas'.split(
    ' ',
  ),
)
