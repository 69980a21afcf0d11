import type MagicString from 'magic-string'
import { awaitsAtTop, overwriteDefault } from '../syntax/names.ts'
import type { SyntaxNode } from '../syntax/walk.ts'
import { childOf, childrenOf, isNode, walk } from '../syntax/walk.ts'

/** Stays where it is: it runs nothing, or other modules. */
const DECLARES = /^(?:Import|ExportAll|Function)Declaration$/

/** The default export, where that is an expression. */
const DEFAULT = '__default'

/**
 * Puts what a module runs into a function: its variables stay around it, so that others see them change, and so do functions,
 * which may be called before it has run.
 *
 * @param wrap gives what stands around the function's body
 */
export function deferModule(
  program: SyntaxNode,
  text: MagicString,
  wrap: (isAsync: boolean) => readonly [start: string, end: string],
): void {
  const names = { let: new Set<string>(), var: new Set<string>() }
  const exported: string[] = []
  const body = childrenOf(program, 'body')
  const first = body.find((statement) => !staysOutside(statement))
  for (const statement of body) {
    if (staysOutside(statement)) {
      if (first === undefined || statement.start < first.start) continue
      text.move(statement.start, statement.end, first.start)
      text.appendLeft(statement.end, '\n')
    } else if (statement.type === 'ExportNamedDeclaration') {
      const declaration = childOf(statement, 'declaration')
      text.remove(statement.start, declaration.start)
      exported.push(...namesOf(declaration))
      assign(declaration)
    } else if (statement.type === 'ExportDefaultDeclaration') {
      assignDefault(childOf(statement, 'declaration'), statement)
    } else {
      assign(statement)
    }
  }
  const [start, end] = wrap(awaitsAtTop(program))
  const declared = (['let', 'var'] as const)
    .filter((kind) => names[kind].size > 0)
    .map((kind) => `${kind} ${[...names[kind]].join(', ')};`)
  const exports = exported.length > 0 ? `export { ${exported.join(', ')} };` : ''
  const head = `${declared.join('')}${exports}\n${start}\n`
  if (first === undefined) text.append(`${head}${end}`)
  else text.prependRight(first.start, head).append(end)

  /** Declarations of a statement of the module become assignments. */
  function assign(statement: SyntaxNode): void {
    if (statement.type === 'ClassDeclaration') {
      const name = String(childOf(statement, 'id')['name'])
      names.let.add(name)
      text.prependRight(statement.start, `;${name} = `).appendLeft(statement.end, ';')
    } else if (statement.type === 'VariableDeclaration' && statement['kind'] !== 'var') {
      for (const name of namesOf(statement)) names.let.add(name)
      assignVariables(statement, ';')
    } else {
      walk(statement, (node, parent) => {
        if (/Function|Class/.test(node.type)) return false
        if (node.type !== 'VariableDeclaration' || node['kind'] !== 'var') return
        for (const name of namesOf(node)) names.var.add(name)
        const isInList = parent === undefined || /^(?:BlockStatement|SwitchCase)$/.test(parent.type)
        assignVariables(node, isInList ? ';' : '')
      })
    }
  }

  function assignVariables(declaration: SyntaxNode, separator: string): void {
    const declarators = childrenOf(declaration, 'declarations')
    const [first] = declarators
    text.overwrite(declaration.start, (first as SyntaxNode).start, separator)
    for (const { id, init, start, end } of declarators as readonly Declarator[]) {
      // In front of a pattern of an object, a bracket says that it is no block.
      if (id.type !== 'Identifier' && isNode(init)) {
        text.prependRight(start, '(').appendLeft(end, ')')
      }
    }
  }

  function assignDefault(declaration: SyntaxNode, statement: SyntaxNode): void {
    const { id } = declaration
    if (declaration.type === 'ClassDeclaration' && isNode(id)) {
      exported.push(`${String(id['name'])} as default`)
      text.remove(statement.start, declaration.start)
      assign(declaration)
      return
    }
    names.let.add(DEFAULT)
    exported.push(`${DEFAULT} as default`)
    // What has no name is called `default`.
    overwriteDefault(statement, text, [`;${DEFAULT} = ({ default: `, ' }).default;'])
  }
}

interface Declarator extends SyntaxNode {
  readonly id: SyntaxNode
  readonly init: unknown
}

function staysOutside(statement: SyntaxNode): boolean {
  if (DECLARES.test(statement.type)) return true
  if (!/^Export(?:Named|Default)Declaration$/.test(statement.type)) return false
  const { declaration } = statement
  return !isNode(declaration) || declaration.type === 'FunctionDeclaration'
}

/** What a declaration declares. */
function namesOf(declaration: SyntaxNode): string[] {
  if (declaration.type === 'ClassDeclaration') return [String(childOf(declaration, 'id')['name'])]
  return childrenOf(declaration, 'declarations').flatMap((one) => boundBy(childOf(one, 'id')))
}

function boundBy(pattern: SyntaxNode): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern['name'])]
    case 'ObjectPattern':
      return childrenOf(pattern, 'properties').flatMap((one) =>
        boundBy(one.type === 'RestElement' ? one : childOf(one, 'value')),
      )
    case 'ArrayPattern':
      return childrenOf(pattern, 'elements').flatMap((one) => (isNode(one) ? boundBy(one) : []))
    case 'AssignmentPattern':
      return boundBy(childOf(pattern, 'left'))
    default:
      return boundBy(childOf(pattern, 'argument'))
  }
}
