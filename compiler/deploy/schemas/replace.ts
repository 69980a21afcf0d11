/** Replaces schema literals in the application's code by calls of functions that return the schemas. */
import MagicString from 'magic-string'
import type { TypeLiteral } from '../../model/index.ts'
import type { Plugin } from 'rollup'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { VIRTUAL } from '../virtual.ts'

/** A literal, and the call that replaces it. */
export interface Replacement {
  readonly start: number
  /** The literal as written. */
  readonly text: string
  /** A function that `SCHEMAS` exports. */
  readonly callee: 'json' | 'schema' | 'createOnRead'
  /** The code of the arguments, which follow the literal for `createOnRead`. */
  readonly args: string
  /** Set for `createOnRead`: the expressions in the literal that become functions. */
  readonly lateParts?: TypeLiteral['types']
}

/** The virtual module with the functions that return schemas. */
export const SCHEMAS: string = `${VIRTUAL}schemas`

/** Length from which on `JSON.parse` of a text is faster than a literal. */
export const LONG_LITERAL = 400

/** Returns a string literal in single quotes, because JSON is full of double quotes. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
}

/** Replaces literals, which are given by absolute file. Has to run before other plugins change the code. */
export function replaceLiterals(byFile: ReadonlyMap<string, readonly Replacement[]>): Plugin {
  return {
    name: 'framework-replace-literals',
    transform(code, id) {
      const [file = id] = id.split('?')
      const replacements = byFile.get(file)
      if (replacements === undefined) return null
      const text = new MagicString(code)
      for (const { start, text: literal, callee, args, lateParts } of replacements) {
        const end = start + literal.length
        // The file was edited meanwhile. Schemas that differ from the compiled ones are noticed at start.
        if (code.slice(start, end) !== literal) continue
        if (lateParts === undefined) {
          text.overwrite(start, end, `${nameOf(callee)}(${args})`)
          continue
        }
        text.appendRight(start, `${nameOf(callee)}(`).appendLeft(end, `, ${args})`)
        for (const part of lateParts) text.appendRight(part.start, '() => ')
      }
      const callees = [...new Set(replacements.map(({ callee }) => callee))].sort()
      text.append(declarationOf(callees, usesImports(file)))
      return { code: text.toString(), map: text.generateMap({ source: file, hires: true }) }
    },
  }
}

/** Returns whether an import can be appended. In TypeScript it always can: `transpile` turns it into `require` for CommonJS. */
function usesImports(file: string): boolean {
  return isTypeScript(file) || moduleKindOf(file) === 'module'
}

function nameOf(callee: string): string {
  return `__deployed_${callee}`
}

/** Returns declarations for the end of the file, so that no line moves; imports and functions are hoisted. */
function declarationOf(callees: readonly string[], isModule: boolean): string {
  if (isModule) {
    const names = callees.map((one) => `${one} as ${nameOf(one)}`)
    return `\nimport { ${names.join(', ')} } from '${SCHEMAS}'\n`
  }
  return callees
    .map((one) => `\nfunction ${nameOf(one)}(a, b) { return require('${SCHEMAS}').${one}(a, b) }`)
    .join('')
}
