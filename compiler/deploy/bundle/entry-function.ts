import { extractAssignedNames } from '@rollup/pluginutils'
import type { Expression, Node, Program, VariableDeclaration } from 'estree'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { RUN } from '../targets/entry.ts'
import { hasTopLevelAwait, isUnnamedFunction, transformed } from './syntax-tree.ts'

const DEFAULT = '__entryDefault'

/**
 * Moves the statements of an entry with a top-level `await` into a function that it exports. The main module calls it at start or for the
 * first request, because service workers refuse a top-level `await`, and Workers allow less at start. Variables become variables of the
 * module, functions stay where they are.
 *
 * @param needed exports that the platform needs at start: an entry with a named one isn't changed. `moveStatements` decides on `default`.
 * @param onMoved called if the statements were moved
 */
export function entryFunction(
  entry: string,
  needed: readonly string[],
  onMoved: () => void,
): Plugin {
  return {
    name: 'framework-entry-function',
    // Runs after comments are removed.
    transform(code, id) {
      if (id !== entry || needed.some((name) => name !== 'default')) return null
      const program = this.parse(code)
      if (!hasTopLevelAwait(program) || hasImmovableVariables(program)) return null
      const text = new MagicString(code)
      if (!moveStatements(program, text)) return null
      onMoved()
      return transformed(text)
    },
  }
}

/** Returns `false` if a class, an object or a function exported by name would move: the platform may need it at start, for events, say. */
function moveStatements({ body }: Program, text: MagicString): boolean {
  const variables: string[] = []
  const early = new Set<string>()
  const objects = new Set<string>()
  const exported = new Set<string>()
  const exports: string[] = []
  const calls: string[] = []
  let end: number | undefined
  const close = (): void => {
    if (end !== undefined) text.appendLeft(end, '\n};')
    end = undefined
  }
  for (const statement of body) {
    const isNamed = statement.type === 'ExportNamedDeclaration'
    const isDefault = statement.type === 'ExportDefaultDeclaration'
    const inner = isNamed || isDefault ? statement.declaration : statement
    const add = (name: string): void => {
      variables.push(name)
      if (isNamed || isDefault) exported.add(name)
      if (isNamed) exports.push(name)
      if (isDefault) exports.push(`${name} as default`)
    }
    if (isNamed && !statement.source)
      for (const { local } of statement.specifiers)
        if (local.type === 'Identifier') exported.add(local.name)
    if (!inner || /^(?:Import|ExportAll|Function)/.test(inner.type)) {
      close()
      continue
    }
    if (inner.type === 'VariableDeclaration') {
      for (const { id, init } of inner.declarations) {
        extractAssignedNames(id).forEach(add)
        if (init && id.type === 'Identifier' && isNeededEarly(init)) early.add(id.name)
        if (init?.type === 'ObjectExpression' && id.type === 'Identifier') objects.add(id.name)
      }
      toAssignments(statement, inner, text)
    } else if (inner.type === 'ClassDeclaration') {
      const { name } = inner.id ?? { name: DEFAULT }
      add(name)
      early.add(name)
      text.overwrite(statement.start, inner.start + 'class'.length, `;${name}=class`)
      text.appendLeft(statement.end, ';')
    } else if (isDefault) {
      const head = text.original.indexOf('default', statement.start) + 'default'.length
      text.overwrite(statement.start, head, `;${DEFAULT}=`)
      add(DEFAULT)
      const isNamedObject = inner.type === 'Identifier' && objects.has(inner.name)
      if (isNamedObject || inner.type === 'ObjectExpression') early.add(DEFAULT)
    }
    if (end === undefined) {
      const name = `${RUN}${calls.length}`
      calls.push(`await ${name}();`)
      text.prependRight(statement.start, `const ${name}=async()=>{`)
    }
    end = statement.end
  }
  close()
  text.append(
    `\n${variables.length > 0 ? `var ${variables.join()};` : ''}export{${exports.join()}};export const ${RUN}=async()=>{${calls.join('')}}\n`,
  )
  return ![...early].some((name) => exported.has(name))
}

function isNeededEarly(value: Expression): boolean {
  return value.type === 'ObjectExpression' || isUnnamedFunction(value)
}

function toAssignments(
  { start, end }: Node,
  { declarations }: VariableDeclaration,
  text: MagicString,
): void {
  text.overwrite(start, declarations[0]?.start ?? end, ';')
  for (const { id, end: last } of declarations) {
    if (id.type === 'Identifier') continue
    text.appendRight(id.start, '(')
    text.appendLeft(last, ')')
  }
}

/** Checks for variables that can't move: `var` inside of a block, and `using`, whose value is disposed of when the module has run. */
function hasImmovableVariables(program: Program): boolean {
  let found = false
  walk(program, {
    enter(node, parent) {
      if (/Function|PropertyDefinition|StaticBlock/.test(node.type)) this.skip()
      if (node.type !== 'VariableDeclaration') return
      const isOfModule = /^(?:Program|ExportNamedDeclaration)$/.test(parent?.type ?? '')
      found ||= isOfModule ? /using/.test(node.kind) : node.kind === 'var'
    },
  })
  return found
}
