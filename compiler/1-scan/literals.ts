/** Finds in the source what schemas are made of, as far as it is written there as plain data. */
import type { SchemaLiteral } from '../model/index.ts'
import { constantOf } from './constant.ts'
import { ts } from './project.ts'
import type { Node } from './project.ts'
import type { Member, ObjectValue, Value } from './values/index.ts'

export interface LiteralFinder {
  /** The `schema` option of a route. */
  addRoute(schema: Value): void
  /** A shared schema. */
  addShared(schema: Value): void
  /** In the order of their places; none lies in another. */
  found(): readonly SchemaLiteral[]
}

type Role = SchemaLiteral['role']

/** The members of a route's schema that are validated or serialized as they are; header names become lower case. */
const parts = new Set(['body', 'querystring', 'query', 'params'])

export function createLiteralFinder(): LiteralFinder {
  const literals = new Map<Node, SchemaLiteral>()
  const seen = { route: new Set<Value>(), part: new Set<Value>(), value: new Set<Value>() }
  return {
    addRoute: (schema) => visit(schema, 'route'),
    addShared: (schema) => visit(schema, 'value'),
    found: () => outermost([...literals.values()]),
  }

  function visit(value: Value, role: Role): void {
    if (seen[role].has(value)) return
    seen[role].add(value)
    switch (value.kind) {
      case 'choice':
        for (const option of value.options) visit(option, role)
        break
      case 'array':
        for (const element of value.elements) visit(element, 'value')
        break
      case 'deferred':
        if (value.source.op === 'await') visit(value.source.operand, role)
        else if (value.source.op === 'code') {
          for (const operand of value.source.operands) visit(operand, 'value')
        }
        break
      case 'object':
        visitObject(value, role)
        break
      default:
    }
  }

  function visitObject(value: ObjectValue, role: Role): void {
    if (value.at !== undefined && take(value.at, role)) return
    if (value.base !== undefined) visit(value.base, role)
    for (const [name, member] of value.members) {
      if (role === 'route' && name === 'response') visitResponses(member)
      else visit(member.value, role === 'route' && parts.has(String(name)) ? 'part' : 'value')
    }
  }

  function visitResponses({ value }: Member): void {
    if (value.kind === 'choice') {
      for (const option of value.options) visitResponses({ value: option, at: undefined })
    } else if (value.kind === 'object') {
      if (value.base !== undefined) visitResponses({ value: value.base, at: undefined })
      for (const { value: entry } of value.members.values()) visit(entry, 'part')
    } else visit(value, 'value')
  }

  /** Whether the expression says all of the value. */
  function take(node: Node, role: Role): boolean {
    const known = literals.get(node)
    if (known === undefined) {
      const constant = ts.isObjectLiteralExpression(node) ? constantOf(node) : undefined
      if (constant === undefined) return false
      literals.set(node, {
        file: node.getSourceFile().fileName,
        start: node.getStart(),
        text: node.getText(),
        json: JSON.stringify(constant.value),
        role,
      })
    } else if (ranks.indexOf(role) < ranks.indexOf(known.role)) {
      literals.set(node, { ...known, role })
    }
    return true
  }
}

/** A literal that is used in several ways is what it saves most as. */
const ranks: readonly Role[] = ['route', 'part', 'value']

function outermost(literals: readonly SchemaLiteral[]): SchemaLiteral[] {
  const sorted = [...literals].sort((a, b) =>
    a.file === b.file
      ? a.start - b.start || b.text.length - a.text.length
      : a.file < b.file
        ? -1
        : 1,
  )
  const kept: SchemaLiteral[] = []
  for (const one of sorted) {
    const last = kept.at(-1)
    const isInside = last?.file === one.file && one.start < last.start + last.text.length
    if (!isInside) kept.push(one)
  }
  return kept
}
