import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { isTypeScript, moduleKindOf } from '../module-kind.ts'
import { OWN } from '../own.ts'

/** What stands for a literal. */
export interface Replacement {
  readonly start: number
  /** What is replaced, as written. */
  readonly text: string
  /** The name of a function that `SCHEMAS` exports. */
  readonly callee: 'json' | 'schema'
  /** The arguments, as written. */
  readonly args: string
}

/** The module that exports what stands for literals. */
export const SCHEMAS: string = `${OWN}schemas`

/**
 * Puts shorter expressions in the place of literals, by the absolute path of their file. To be done before anything else
 * is done to a text.
 */
export function replaceLiterals(byFile: ReadonlyMap<string, readonly Replacement[]>): Plugin {
  return {
    name: 'framework-replace-literals',
    transform(code, id) {
      const [file = id] = id.split('?')
      const replacements = byFile.get(file)
      if (replacements === undefined) return null
      const text = new MagicString(code)
      for (const { start, text: literal, callee, args } of replacements) {
        const end = start + literal.length
        // It was edited while it was deployed: what was compiled is compared with what is there, when it runs.
        if (code.slice(start, end) !== literal) continue
        text.overwrite(start, end, `${nameOf(callee)}(${args})`)
      }
      const callees = [...new Set(replacements.map(({ callee }) => callee))].sort()
      text.append(declarationOf(callees, hasImports(file)))
      return { code: text.toString(), map: text.generateMap({ source: file, hires: true }) }
    },
  }
}

/** TypeScript may be written as an ES module that becomes CommonJS. */
function hasImports(file: string): boolean {
  return isTypeScript(file) || moduleKindOf(file) === 'module'
}

function nameOf(callee: string): string {
  return `__deployed_${callee}`
}

/** At the end, so that no line moves; both are there before the first line runs. */
function declarationOf(callees: readonly string[], isModule: boolean): string {
  if (isModule) {
    const names = callees.map((one) => `${one} as ${nameOf(one)}`)
    return `\nimport { ${names.join(', ')} } from '${SCHEMAS}'\n`
  }
  return callees
    .map((one) => `\nfunction ${nameOf(one)}(a, b) { return require('${SCHEMAS}').${one}(a, b) }`)
    .join('')
}
