/** Finds the object literals of plain data that schemas are made of. Deployments replace them by lazy schemas or parsed JSON. */
import { isDeepStrictEqual } from 'node:util'
import type { SchemaLiteral } from '../model/index.ts'
import { toPlain } from './builtins/plain.ts'
import { innerExpression } from './interpreter/member-access.ts'
import { ts, type Node } from '../util/source/project.ts'
import type { ObjectValue, Value } from './values/index.ts'
import type { Machine } from './values/machine.ts'
import { Scope } from './values/scope.ts'

type Role = SchemaLiteral['role']

/** The roles, those that save most first. A literal with several uses gets the first of its roles. */
const roles: readonly Role[] = ['route', 'part', 'value']

/** The request parts whose literals may be schemas of functions. Those of headers aren't, because names become lower case. */
const parts = new Set(['body', 'querystring', 'query', 'params'])

/** Returns the outermost literals of the `schema` options of routes and of shared schemas, in the order of their places. */
export function findSchemaLiterals(
  m: Machine,
  routes: readonly Value[],
  shared: readonly Value[],
): readonly SchemaLiteral[] {
  const literals = new Map<Node, SchemaLiteral>()
  const seen = { route: new Set<Value>(), part: new Set<Value>(), value: new Set<Value>() }
  for (const schema of routes) visit(schema, 'route')
  for (const schema of shared) visit(schema, 'value')
  return outermost([...literals.values()])

  function visit(value: Value, role: Role): void {
    if (seen[role].has(value)) return
    seen[role].add(value)
    if (value.kind === 'object') visitObject(value, role)
    else if (value.kind === 'choice') for (const option of value.options) visit(option, role)
    else if (value.kind === 'array') for (const element of value.elements) visit(element, 'value')
    else if (value.kind === 'deferred') {
      const { source } = value
      if (source.op === 'await') visit(source.operand, role)
      else if (source.op === 'code') for (const one of source.operands) visit(one, 'value')
    }
  }

  function visitObject(value: ObjectValue, role: Role): void {
    if (value.at !== undefined && add(value.at, role)) return
    if (value.base !== undefined) visit(value.base, role)
    for (const [name, member] of value.members) {
      if (role === 'route' && name === 'response') visitResponses(member.value)
      else visit(member.value, role === 'route' && parts.has(String(name)) ? 'part' : 'value')
    }
  }

  function visitResponses(value: Value): void {
    if (value.kind === 'choice') value.options.forEach(visitResponses)
    else if (value.kind === 'object') {
      if (value.base !== undefined) visitResponses(value.base)
      for (const { value: entry } of value.members.values()) visit(entry, 'part')
    } else visit(value, 'value')
  }

  /** Adds the literal that a value is written as. Returns `false` if it isn't an object literal of plain data. */
  function add(node: Node, role: Role): boolean {
    const known = literals.get(node)
    if (known !== undefined) {
      if (roles.indexOf(role) < roles.indexOf(known.role)) literals.set(node, { ...known, role })
      return true
    }
    const json = ts.isObjectLiteralExpression(node) && isData(node) ? jsonOf(m, node) : undefined
    if (json === undefined) return false
    const file = node.getSourceFile().fileName
    literals.set(node, { file, start: node.getStart(), text: node.getText(), json, role })
    return true
  }
}

/** Returns whether an expression has the same plain value whenever it runs. */
function isData(node: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (one) => ts.isPropertyAssignment(one) && isPlainName(one.name) && isData(one.initializer),
    )
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isData)
  // Long strings are often written in pieces.
  if (ts.isBinaryExpression(node)) {
    return (
      node.operatorToken.kind === ts.SyntaxKind.PlusToken && isData(node.left) && isData(node.right)
    )
  }
  if (ts.isPrefixUnaryExpression(node)) return isData(node.operand)
  const wrapped = innerExpression(node)
  if (wrapped !== undefined) return isData(wrapped)
  const { TrueKeyword, FalseKeyword, NullKeyword } = ts.SyntaxKind
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    [TrueKeyword, FalseKeyword, NullKeyword].includes(node.kind)
  )
}

/** Returns whether a property has a name that is known. `__proto__` sets the prototype instead. */
function isPlainName(name: ts.PropertyName): boolean {
  if (ts.isNumericLiteral(name)) return true
  return (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text !== '__proto__'
}

/** Returns plain data as JSON; `undefined` if JSON changes it, such as `-0`. */
function jsonOf(m: Machine, node: ts.Expression): string | undefined {
  const value = m.evaluate(node, new Scope(undefined, node.getSourceFile().fileName, {}))
  const plain = toPlain(m, value)
  const json = plain.ok ? JSON.stringify(plain.value) : ''
  return plain.ok && isDeepStrictEqual(JSON.parse(json), plain.value) ? json : undefined
}

function outermost(literals: readonly SchemaLiteral[]): SchemaLiteral[] {
  const sorted = [...literals].sort((a, b) => {
    if (a.file !== b.file) return a.file < b.file ? -1 : 1
    return a.start - b.start || b.text.length - a.text.length
  })
  const kept: SchemaLiteral[] = []
  for (const one of sorted) {
    const last = kept.at(-1)
    const isInside = last?.file === one.file && one.start < last.start + last.text.length
    if (!isInside) kept.push(one)
  }
  return kept
}
