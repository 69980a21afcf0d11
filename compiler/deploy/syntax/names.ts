import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import type { SyntaxNode } from './walk.ts'
import { childrenOf, isNode, walk } from './walk.ts'

/**
 * Gives functions their names back that rollup has called otherwise, because another module has one of that name: formats,
 * keywords and plugins are known by them.
 */
export function functionNames(): Plugin {
  const written = new Set<string>()
  return {
    name: 'framework-function-names',
    moduleParsed({ ast }) {
      if (ast === null) return
      for (const { name } of functionsOf(ast as unknown as SyntaxNode)) written.add(name)
    },
    renderChunk(code) {
      const renamed = functionsOf(this.parse(code) as unknown as SyntaxNode).filter(
        ({ name }) => !written.has(name) && written.has(nameBefore(name)),
      )
      if (renamed.length === 0) return null
      const text = new MagicString(code)
      for (const { name, end } of renamed) {
        const value = JSON.stringify(nameBefore(name))
        text.appendLeft(
          end,
          `\nObject.defineProperty(${name},"name",{value:${value},configurable:true});\n`,
        )
      }
      return { code: text.toString(), map: text.generateMap({ hires: true }) }
    },
  }
}

function nameBefore(name: string): string {
  return name.replace(/\$\d+$/, '')
}

/** Functions and classes that have a name of their module. */
function functionsOf(program: SyntaxNode): { readonly name: string; readonly end: number }[] {
  const found: { name: string; end: number }[] = []
  const visit = (statement: SyntaxNode, end: number): void => {
    if (/^Export(?:Named|Default)Declaration$/.test(statement.type)) {
      const { declaration } = statement
      if (isNode(declaration)) visit(declaration, end)
    } else if (/^(?:Function|Class)Declaration$/.test(statement.type)) {
      if (isNode(statement['id'])) found.push({ name: String(statement['id']['name']), end })
    } else if (statement.type === 'VariableDeclaration') {
      for (const declarator of childrenOf(statement, 'declarations')) {
        const { id, init } = declarator
        if (isNode(id) && id.type === 'Identifier' && isNode(init) && isFunction(init)) {
          found.push({ name: String(id['name']), end })
        }
      }
    }
  }
  for (const statement of childrenOf(program, 'body')) visit(statement, statement.end)
  return found
}

/** What gets its name from the variable. */
function isFunction({ type, id }: SyntaxNode): boolean {
  return type === 'ArrowFunctionExpression' || (/^(?:Function|Class)Expression$/.test(type) && !id)
}

/** Whether an ES module waits for something before it is complete. */
export function awaitsAtTop(program: SyntaxNode): boolean {
  let found = false
  walk(program, (node) => {
    if (/Function|PropertyDefinition|StaticBlock/.test(node.type)) return false
    found ||= node.type === 'AwaitExpression'
    found ||= node.type === 'ForOfStatement' && node['await'] === true
    return !found
  })
  return found
}
