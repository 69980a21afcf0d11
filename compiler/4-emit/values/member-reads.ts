/** Finds the members that a function of the application reads of `this` or of a parameter, which are objects of Ajv. */
import { createRequire } from 'node:module'
import type { parseAst as ParseAst } from 'rollup/parseAst'

/** The path to a member: `['opts', 'allErrors']`. */
export type MemberPath = readonly string[]

export type Subject = 'this' | { readonly parameter: number }

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Nodes that bind their own `this`. */
const THIS_SCOPES: ReadonlySet<string> = new Set([
  'ClassBody',
  'FunctionDeclaration',
  'FunctionExpression',
])

/**
 * Returns the members that a function reads. `undefined` if it does anything else with the object, or if that is unknown, as for a
 * native function.
 *
 * Scopes are ignored: a name is taken for the same member in the whole function.
 */
export function membersRead(value: Function, subject: Subject): readonly MemberPath[] | undefined {
  const text = String(value)
  if (text.includes('[native code]')) return undefined
  if (subject === 'this' && !/\b(?:this|super|eval)\b/.test(text)) return []
  // The text of a method is valid only in an object literal.
  const tree = parse(`(${text})`) ?? parse(`({${text}})`)
  const root = tree && functionIn(tree)
  if (root === undefined) return undefined
  if (subject === 'this') return readsOf(root, undefined)
  const params = root.params as readonly Node[]
  const parameter = params[subject.parameter]
  if (params.some(({ type }) => type === 'RestElement') || mentionsArguments(root)) return undefined
  return parameter === undefined ? [] : readsOf(root, parameter)
}

/** @param parameter the pattern of the parameter; `undefined` for `this` */
function readsOf(root: Node, parameter: Node | undefined): readonly MemberPath[] | undefined {
  /** Variables for the object or its members. */
  const aliases = new Map<string, MemberPath>()
  const found: MemberPath[] = []
  if (parameter !== undefined && !addAliases(parameter, [])) return undefined
  // Repeat until there are no new aliases: an alias may be declared after a function that uses it.
  for (let count = -1; count !== aliases.size;) {
    count = aliases.size
    if (!collectAliases(root, true)) return undefined
  }
  return visit(root, true) ? found : undefined

  /** @param hasThis whether `this` means that of the function that is searched */
  function collectAliases(node: Node, hasThis: boolean): boolean {
    const path = aliasedPath(node, hasThis)
    if (path !== undefined) return addAliases(node.id as Node, path)
    return childrenOf(node).every((child) =>
      collectAliases(child, hasThis && !THIS_SCOPES.has(child.type)),
    )
  }

  /** Returns the path of the member that a declaration assigns to a variable. */
  function aliasedPath(node: Node, hasThis: boolean): MemberPath | undefined {
    if (node.type !== 'VariableDeclarator' || !node.init) return undefined
    return pathOf(node.init as Node, hasThis)
  }

  /** Adds the variables of a pattern. Returns whether it consists of names and known keys. */
  function addAliases(pattern: Node, path: MemberPath): boolean {
    switch (pattern.type) {
      case 'Identifier':
        aliases.set(String(pattern.name), path)
        return true
      case 'ObjectPattern':
        return (pattern.properties as readonly Node[]).every((property) => {
          const key = property.type === 'Property' ? keyOf(property) : undefined
          return key !== undefined && addAliases(property.value as Node, [...path, key])
        })
      default:
        return false
    }
  }

  /** Collects reads of members. Returns whether there are no other uses. */
  function visit(node: Node, hasThis: boolean): boolean {
    if (node === parameter || aliasedPath(node, hasThis) !== undefined) return true
    if (node.type === 'Identifier' && node.name === 'eval') return false
    if (node.type === 'Super' && hasThis) return false
    const target = targetOf(node)
    if (target !== undefined && pathOf(target, hasThis) !== undefined) return false
    const path = pathOf(node, hasThis)
    if (path !== undefined) {
      found.push(path)
      // An empty path is the object itself, which may be passed on.
      return path.length > 0
    }
    return childrenOf(node).every((child) => visit(child, hasThis && !THIS_SCOPES.has(child.type)))
  }

  /** Returns the path from the object to the value of an expression, if there is one. */
  function pathOf(node: Node, hasThis: boolean): MemberPath | undefined {
    switch (node.type) {
      case 'ThisExpression':
        return parameter === undefined && hasThis ? [] : undefined
      case 'Identifier':
        return aliases.get(String(node.name))
      case 'ChainExpression':
        return pathOf(node.expression as Node, hasThis)
      case 'MemberExpression': {
        const path = pathOf(node.object as Node, hasThis)
        const key = keyOf({ ...node, key: node.property })
        return path && key === undefined ? undefined : path && [...path, key as string]
      }
      default:
        return undefined
    }
  }
}

/** Returns the target of an assignment, an update such as `++`, or a `delete`. */
function targetOf({ type, operator, left, argument }: Node): Node | undefined {
  if (type === 'AssignmentExpression') return left as Node
  const isWrite = type === 'UpdateExpression' || operator === 'delete'
  return isWrite ? (argument as Node) : undefined
}

function mentionsArguments(node: Node): boolean {
  if (node.type === 'Identifier' && node.name === 'arguments') return true
  return childrenOf(node).some((child) => mentionsArguments(child))
}

/** Returns the key of a property: a name or a literal. */
function keyOf({ computed, key }: Node): string | undefined {
  const { type, name, value } = key as Node
  if (type === 'Literal') return String(value)
  return type === 'Identifier' && computed !== true ? String(name) : undefined
}

function functionIn(node: Node): Node | undefined {
  if (/Function/.test(node.type)) return node
  for (const child of childrenOf(node)) {
    const found = functionIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

const require = createRequire(import.meta.url)

function parse(code: string): Node | undefined {
  // Loaded here, because few applications need it.
  const { parseAst } = require('rollup/parseAst') as { parseAst: typeof ParseAst }
  try {
    return parseAst(code, { allowReturnOutsideFunction: true }) as unknown as Node
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'PARSE_ERROR') return undefined
    throw error
  }
}

/** Returns child nodes, without names that aren't variables: `.name` and `name:`. */
function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const isName = (key === 'property' || key === 'key') && node.computed === false
    if (isName) return []
    const children = [value].flat() as (Node | null)[]
    return children.filter((child): child is Node => {
      return child !== null && typeof child === 'object' && 'type' in child
    })
  })
}
