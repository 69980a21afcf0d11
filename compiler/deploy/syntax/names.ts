import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import type { SyntaxNode } from './walk.ts'
import { childrenOf, isNode, walk } from './walk.ts'

/** What a function without a name is called that is exported by default, until it gets the name that it has in Node. */
const ANONYMOUS = '__anonymousDefault'

/**
 * Gives functions their names back that rollup has called otherwise: because another module has one of that name, or after their
 * file, because they have none. Formats, keywords and plugins are known by them.
 */
export function functionNames(): Plugin {
  const written = new Set<string>()
  return {
    name: 'framework-function-names',
    moduleParsed({ ast }) {
      if (ast === null) return
      for (const { name } of functionsOf(ast as unknown as SyntaxNode)) written.add(name)
    },
    transform(code) {
      if (!/\bexport\s+default\b/.test(code)) return null
      const text = new MagicString(code)
      for (const statement of childrenOf(this.parse(code) as unknown as SyntaxNode, 'body')) {
        if (statement.type === 'ExportDefaultDeclaration') nameDefault(statement, text)
      }
      return text.hasChanged()
        ? { code: text.toString(), map: text.generateMap({ hires: true }) }
        : null
    },
    renderChunk(code) {
      const renamed = functionsOf(this.parse(code) as unknown as SyntaxNode).filter(
        ({ name }) =>
          name.startsWith(ANONYMOUS) || (!written.has(name) && written.has(nameBefore(name))),
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
  const before = name.replace(/\$\d+$/, '')
  return before === ANONYMOUS ? 'default' : before
}

/** Between two words. */
const gap = String.raw`(?:\s|/\*[^]*?\*/|//[^\n]*\n)*`
const functionHead = new RegExp(String.raw`^(?:async\b${gap})?function\b(?:${gap}\*)?`)

/** What is exported by default without a name is called `default`. */
function nameDefault(statement: SyntaxNode, text: MagicString): void {
  const declaration = statement['declaration'] as SyntaxNode
  const { type, start, end, id } = declaration
  if (isNode(id)) return
  if (type === 'FunctionDeclaration') {
    // It may be called before its module runs, so it has to stay a declaration.
    const [head] = functionHead.exec(text.original.slice(start, end)) as unknown as [string]
    text.appendLeft(start + head.length, ` ${ANONYMOUS}`)
  } else if (type === 'ClassDeclaration' || isFunction(declaration)) {
    // A member is called like it. Bun takes what is read of an object at once for what is written in it.
    overwriteDefault(statement, text, [
      `const { default: ${ANONYMOUS} } = { default: `,
      ` };export { ${ANONYMOUS} as default };`,
    ])
  }
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

const defaultHead = new RegExp(String.raw`^export${gap}default\b`)

/** Puts something around what a module exports by default, in the place of the words that say so. */
export function overwriteDefault(
  { start, end }: SyntaxNode,
  text: MagicString,
  [before, behind]: readonly [before: string, behind: string],
): void {
  // The expression may stand in brackets, which are not part of it.
  const [head] = defaultHead.exec(text.original.slice(start)) as unknown as [string]
  text.overwrite(start, start + head.length, before)
  const last = text.original.endsWith(';', end) ? end - 1 : end
  if (last < end) text.remove(last, end)
  text.appendLeft(last, behind)
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
