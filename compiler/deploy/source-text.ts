import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import type { Plugin } from 'rollup'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import { SourceFiles } from '../util/source-files.ts'
import { isTypeScript, moduleKindOf } from './module-kind.ts'
import { OWN } from './own.ts'
import { isRuntimeFile } from './resolution.ts'

/** A literal of this many characters is dearer to an engine than a text that it parses as JSON. */
export const LONG = 400

/**
 * Turns files into JavaScript without blanks and comments; JSON becomes a CommonJS module, as `require` reads it.
 *
 * Names of functions stay: those of validator options are known by them. What rewrites parts of the application's own text,
 * by places that the scan has seen, stands before it.
 */
export function sourceText(): Plugin {
  return {
    name: 'framework-source-text',
    async transform(code, id) {
      // What nobody has written is in no source map: it says where it was built.
      if (id.startsWith(OWN)) return { code, map: { mappings: '' } }
      if (id.includes('\0') || isRuntimeFile(id)) return null
      const [file = id] = id.split('?')
      if (file.endsWith('.json')) return { code: jsonModule(code), map: { mappings: '' } }
      if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)) return null
      const isCommonJs = moduleKindOf(file) === 'commonjs'
      const result = await transform(code, {
        loader: loaderOf(file),
        ...(isTypeScript(file) && isCommonJs && { format: 'cjs' as const }),
        sourcefile: file,
        sourcemap: 'external',
        minifyWhitespace: true,
        legalComments: 'none',
        target: 'node20',
        tsconfigRaw: JSON.stringify({ compilerOptions: emitOptionsOf(file) }),
      })
      return { code: result.code, map: result.map }
    },
  }
}

function jsonModule(text: string): string {
  // As a literal `__proto__` would be no property.
  const isLiteral = text.length < LONG && !text.includes('__proto__')
  const value = JSON.stringify(JSON.parse(text))
  return `module.exports=${isLiteral ? value : `JSON.parse(${JSON.stringify(value)})`}`
}

function loaderOf(file: string): 'js' | 'jsx' | 'ts' | 'tsx' {
  if (file.endsWith('x')) return isTypeScript(file) ? 'tsx' : 'jsx'
  return isTypeScript(file) ? 'ts' : 'js'
}

const compilerOptions = new CompilerOptions(new SourceFiles())

/** @throws Error for what no other compiler than TypeScript's can do */
function emitOptionsOf(file: string): object {
  if (!isTypeScript(file)) return {}
  const options = compilerOptions.emitOptions(file)
  if (options.emitDecoratorMetadata === true) {
    if (usesDecorators.test(readFileSync(file, 'utf8'))) {
      throw new Error(
        'its tsconfig.json asks for `emitDecoratorMetadata`, which only tsc can write: deploy what tsc has compiled',
      )
    }
  }
  return options
}

const usesDecorators = /^\s*@[A-Za-z_$][\w$.]*\s*(?:\(|\n|export|class)/m
