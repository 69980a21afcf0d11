import { transform } from 'esbuild'
import type { Plugin } from 'rollup'
import { CompilerOptions } from '../../util/modules/compiler-options.ts'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { SourceFiles } from '../../util/source-files.ts'
import { LONG_LITERAL } from '../schemas/replace.ts'
import { VIRTUAL } from '../virtual.ts'
import { isRuntimeFile } from './find-module.ts'
import { mainDefines, pathDefines } from './module-paths.ts'

/**
 * Transpiles TypeScript and JSX with esbuild, and removes whitespace and comments. `__dirname`, `import.meta.url` and the like become the
 * identifiers of `module-paths.ts`, except in the runtime, whose code means the bundle. JSON becomes a CommonJS module.
 *
 * Only the runtime's identifiers are shortened, which makes a small Worker a third smaller: applications and packages may read the
 * names of their functions, and keeping those costs as much as it saves. Plugins that use positions from the scan have to run before
 * this one.
 *
 * @param main the entry, if it starts itself
 */
export function transpile(main: string | undefined): Plugin {
  return {
    name: 'framework-transpile',
    async transform(code, id) {
      // Virtual modules have no source, and their map would show where the deployment was made.
      if (id.startsWith(VIRTUAL)) return { code, map: { mappings: '' } }
      if (id.includes('\0')) return null
      const [file = id] = id.split('?')
      if (file.endsWith('.json')) return { code: jsonModule(code), map: { mappings: '' } }
      if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file)) return null
      const isCommonJs = moduleKindOf(file) === 'commonjs'
      // Other plugins put code before it. Becomes a comment, so that positions stay.
      const result = await transform(code.replace(/^#!/, '//'), {
        loader: loaderOf(file),
        ...(isTypeScript(file) && isCommonJs && { format: 'cjs' as const }),
        sourcefile: file,
        ...(!isRuntimeFile(file) && { define: file === main ? mainDefines : pathDefines }),
        sourcemap: 'external',
        minifyWhitespace: true,
        ...(isRuntimeFile(file) && { minifyIdentifiers: true, minifySyntax: true }),
        legalComments: 'none',
        target: 'node20',
        tsconfigRaw: JSON.stringify({ compilerOptions: compilerOptionsOf(file, code) }),
      })
      return { code: result.code, map: result.map }
    },
  }
}

function jsonModule(text: string): string {
  const value = JSON.stringify(JSON.parse(text))
  // In a literal, `__proto__` would set the prototype.
  const isLiteral = text.length < LONG_LITERAL && !value.includes('__proto__')
  return `module.exports=${isLiteral ? value : `JSON.parse(${JSON.stringify(value)})`}`
}

function loaderOf(file: string): 'js' | 'jsx' | 'ts' | 'tsx' {
  if (file.endsWith('x')) return isTypeScript(file) ? 'tsx' : 'jsx'
  return isTypeScript(file) ? 'ts' : 'js'
}

const compilerOptions = new CompilerOptions(new SourceFiles())
const usesDecorators = /^\s*@[A-Za-z_$][\w$.]*\s*(?:\(|\n|export|class)/m

/** @throws Error if decorators need `emitDecoratorMetadata`, which esbuild doesn't support */
function compilerOptionsOf(file: string, code: string): object {
  if (!isTypeScript(file)) return {}
  const options = compilerOptions.of(file)
  if (options.emitDecoratorMetadata === true && usesDecorators.test(code)) {
    throw new Error(
      'its tsconfig.json asks for `emitDecoratorMetadata`, which only tsc can write: deploy what tsc has compiled',
    )
  }
  return options
}
