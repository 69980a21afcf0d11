/** Transpiles TypeScript files of a booted application. */
import { readFile } from 'node:fs/promises'
import type { TransformOptions } from 'esbuild'
import { CompilerOptions } from '../util/modules/compiler-options.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { Transpiled } from './messages.ts'

const compilerOptions = new CompilerOptions(new SourceFiles())

const results = new Map<string, Promise<Transpiled>>()

/** @returns the same for each boot of a build */
export function transpile(file: string, format: 'cjs' | 'esm'): Promise<Transpiled> {
  const key = `${format} ${file}`
  const result = results.get(key) ?? transpileFile(file, format)
  results.set(key, result)
  return result
}

async function transpileFile(file: string, format: 'cjs' | 'esm'): Promise<Transpiled> {
  try {
    // Loaded here because applications in JavaScript don't need it.
    const { transform } = await import('esbuild')
    const { code } = await transform(await readFile(file, 'utf8'), optionsFor(file, format))
    return { code }
  } catch (error) {
    // The application may catch it, as it may any other error of a module.
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function optionsFor(file: string, format: 'cjs' | 'esm'): TransformOptions {
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
