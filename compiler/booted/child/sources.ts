/** Resolves and transpiles the application's files, for both module systems. */
import type { TransformOptions } from 'esbuild'
import { CompilerOptions } from '../../1-scan/modules/compiler-options.ts'
import { Resolver } from '../../1-scan/modules/resolution.ts'
import { SourceFiles } from '../../util/source-files.ts'
import { isApplication } from './places.ts'

const files = new SourceFiles()
const resolver = new Resolver(files)
const compilerOptions = new CompilerOptions(files)

/** Resolves an import as the scan does: TypeScript sources, path mappings, workspace packages. Returns undefined to leave it to Node. */
export function sourceFileOf(
  specifier: string,
  importer: string,
  conditions: readonly string[],
): string | undefined {
  if (!isApplication(importer)) return undefined
  const found = resolver.resolve(specifier, importer, conditions)
  return found.type === 'file' ? found.file : undefined
}

/** Returns esbuild's options for a TypeScript file. */
export function transformOptions(file: string, format: 'cjs' | 'esm'): TransformOptions {
  return {
    format,
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    sourcefile: file,
    sourcemap: 'inline',
    sourcesContent: false,
    target: 'node20',
    tsconfigRaw: JSON.stringify({ compilerOptions: compilerOptions.of(file) }),
    ...(format === 'cjs' && {
      // Sources written as ES modules may use `import.meta`.
      define: {
        'import.meta.dirname': '__dirname',
        'import.meta.filename': '__filename',
        'import.meta.url': '__url',
      },
      banner: 'const __url = require("node:url").pathToFileURL(__filename).href;',
    }),
  }
}
