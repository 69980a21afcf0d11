/** ESTree nodes as rollup parses them: each one has its offsets in the text. */
import type { Expression, Literal, Node, Pattern, Program, TemplateLiteral } from 'estree'
import { walk } from 'estree-walker'
import type MagicString from 'magic-string'
import type { SourceMap } from 'magic-string'

declare module 'estree' {
  interface BaseNodeWithoutComments {
    start: number
    end: number
  }
}

/** A string in quotes, or a template without expressions. */
export type Text = Literal | TemplateLiteral

export function isText(node: Node): node is Text {
  return (
    (node.type === 'Literal' && typeof node.value === 'string') ||
    (node.type === 'TemplateLiteral' && node.expressions.length === 0)
  )
}

export function textOf(node: Text): string {
  return node.type === 'Literal' ? String(node.value) : (cookedTexts(node)[0] ?? '')
}

/** Returns the texts around the expressions of a template. */
export function cookedTexts({ quasis }: TemplateLiteral): readonly string[] {
  return quasis.map(({ value }) => value.cooked ?? '')
}

/**
 * Returns the name that an expression ends with: `join` for `join`, `path.join`, and `(0, path.join)`, to which compilers turn calls
 * of imports in CommonJS.
 */
export function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'SequenceExpression') return nameOf(node.expressions.at(-1) as Node)
  if (node.type !== 'MemberExpression' || node.computed) return undefined
  return nameOf(node.property)
}

/** Returns the parameters of a function, and nothing for other nodes. */
export function parametersOf(node: Node): readonly Pattern[] {
  return 'params' in node ? node.params : []
}

/** Checks for functions and classes that get their name from the variable they are assigned to. */
export function isUnnamedFunction(node: Expression): boolean {
  return (
    node.type === 'ArrowFunctionExpression' ||
    ((node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id)
  )
}

/** Checks whether a module uses top-level `await`. */
export function hasTopLevelAwait(program: Program): boolean {
  let found = false
  walk(program, {
    enter(node) {
      if (/Function|PropertyDefinition|StaticBlock/.test(node.type)) this.skip()
      found ||= node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)
    },
  })
  return found
}

/** Returns the modules that `import()` loads outside of branches and `try`, and without handling the rejection: the code doesn't do without them. */
export function neededImports(program: Program): ReadonlySet<string> {
  const found = new Set<string>()
  walk(program, {
    enter(node) {
      if (/Try|If|Switch|Conditional|Logical/.test(node.type) || isHandledImport(node)) this.skip()
      else if (node.type === 'ImportExpression' && isText(node.source))
        found.add(textOf(node.source))
    },
  })
  return found
}

/** Matches `import(…).catch(…)`, also after `then`, and `import(…).then(…, …)`. */
function isHandledImport(node: Node): boolean {
  let isHandled = false
  let promise = node
  while (promise.type === 'CallExpression' && promise.callee.type === 'MemberExpression') {
    const name = nameOf(promise.callee)
    isHandled ||= name === 'catch' || (name === 'then' && promise.arguments.length > 1)
    promise = promise.callee.object
  }
  return isHandled && promise.type === 'ImportExpression'
}

/** Returns the result of a plugin that edits code. */
export function transformed(text: MagicString): { code: string; map: SourceMap } | null {
  return text.hasChanged()
    ? { code: text.toString(), map: text.generateMap({ hires: true }) }
    : null
}
