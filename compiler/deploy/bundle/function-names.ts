import type { ExportDefaultDeclaration, Program } from 'estree'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { isRuntimeFile } from './find-module.ts'
import { isUnnamedFunction, transformed } from './syntax-tree.ts'

/** Name of an anonymous default export in the bundle, until it is renamed to `default`. */
const ANONYMOUS = '__anonymousDefault'

/**
 * Restores `name` of functions that rollup renames: because another module has a function of that name, or after their file if they
 * are anonymous default exports. The application may read it, and Fastify recognizes ajv-formats by it.
 */
export function functionNames(): Plugin {
  const written = new Set<string>()
  return {
    name: 'framework-function-names',
    moduleParsed({ id, ast }) {
      // The runtime's names are shortened.
      if (ast !== null && !isRuntimeFile(id))
        for (const { name } of namedFunctions(ast)) written.add(name)
    },
    transform(code) {
      if (!/\bexport\s+default\b/.test(code)) return null
      const text = new MagicString(code)
      for (const statement of this.parse(code).body) {
        if (statement.type === 'ExportDefaultDeclaration') nameDefault(statement, text)
      }
      return transformed(text)
    },
    renderChunk(code) {
      const renamed = namedFunctions(this.parse(code)).filter(
        ({ name }) =>
          name.startsWith(ANONYMOUS) || (!written.has(name) && written.has(originalName(name))),
      )
      const text = new MagicString(code)
      for (const { name, end } of renamed) {
        const value = JSON.stringify(originalName(name))
        text.appendLeft(
          end,
          `\nObject.defineProperty(${name},"name",{value:${value},configurable:true});\n`,
        )
      }
      return transformed(text)
    },
  }
}

function originalName(name: string): string {
  const original = name.replace(/\$\d+$/, '')
  return original === ANONYMOUS ? 'default' : original
}

/** Gives an anonymous default export a name in the bundle. Comments and blanks are removed already. */
function nameDefault(
  { declaration, start, end }: ExportDefaultDeclaration,
  text: MagicString,
): void {
  if (declaration.type === 'FunctionDeclaration') {
    const [head = ''] = /^(?:async )?function\*?/.exec(text.slice(declaration.start, end)) ?? []
    // It stays a declaration, because it may be called before its module runs.
    if (!declaration.id) text.appendLeft(declaration.start + head.length, ` ${ANONYMOUS}`)
    return
  }
  const isAnonymous =
    declaration.type === 'ClassDeclaration' ? !declaration.id : isUnnamedFunction(declaration)
  if (!isAnonymous) return
  // A value gets its name from its property. It's destructured, because Bun inlines `({ default: … }).default`.
  const opening = `const { default: ${ANONYMOUS} } = { default: `
  text.overwrite(start, start + 'export default'.length, opening)
  // The expression may stand in parentheses, which aren't part of it.
  const last = text.original.endsWith(';', end) ? end - 1 : end
  if (last < end) text.remove(last, end)
  text.appendLeft(last, ` };export { ${ANONYMOUS} as default };`)
}

/** Finds the functions and classes at the top level of a program, and where their statements end. */
function namedFunctions(program: Program): readonly { name: string; end: number }[] {
  return program.body.flatMap((statement) => {
    const isExport =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    const declaration = isExport ? statement.declaration : statement
    return namesIn(declaration).map((name) => ({ name, end: statement.end }))
  })
}

function namesIn(
  declaration: Program['body'][number] | ExportDefaultDeclaration['declaration'] | null | undefined,
): readonly string[] {
  switch (declaration?.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return declaration.id ? [declaration.id.name] : []
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' && init && isUnnamedFunction(init) ? [id.name] : [],
      )
    default:
      return []
  }
}
