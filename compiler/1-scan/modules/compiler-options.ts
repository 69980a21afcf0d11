import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import { extendedFile, readConfig } from './tsconfig.ts'
import type { Config } from './tsconfig.ts'

type Options = NonNullable<Config['compilerOptions']>

const emitted = [
  'emitDecoratorMetadata',
  'experimentalDecorators',
  'jsx',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
  'target',
  'useDefineForClassFields',
  'verbatimModuleSyntax',
] as const

/** What tsconfig.json files say beside path mappings. */
export class CompilerOptions {
  readonly #files: SourceFiles

  constructor(files: SourceFiles) {
    this.#files = files
  }

  /** Whether a file has the decorators that TypeScript had before the language did. */
  hasLegacyDecorators(file: string): boolean {
    if (!/\.[cm]?tsx?$/.test(file)) return false
    const config = this.#nearest(file)
    return config !== undefined && this.#find(config, 'experimentalDecorators')?.value === true
  }

  /** Whether modules may be named by their source, with `.ts`. */
  importsTypeScript(file: string): boolean {
    const config = this.#nearest(file)
    return config !== undefined && this.#find(config, 'allowImportingTsExtensions')?.value === true
  }

  /** The options that decide what a TypeScript file is compiled to. */
  emitOptions(file: string): Options {
    const config = this.#nearest(file)
    if (config === undefined) return {}
    return Object.fromEntries(
      emitted.flatMap((name) => {
        const found = this.#find(config, name)
        return found === undefined ? [] : [[name, found.value]]
      }),
    )
  }

  #nearest(file: string): string | undefined {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const config = path.join(folder, 'tsconfig.json')
      if (this.#files.isFile(config)) return config
      if (folder === path.dirname(folder)) return undefined
    }
  }

  /** Where the source of a compiled file is, by the name that the output has; `undefined` where nothing is said of it. */
  sourceOf(output: string, packageFolder: string): string | undefined {
    const config = path.join(packageFolder, 'tsconfig.json')
    if (!this.#files.isFile(config)) return undefined
    const [to, from] = [this.#folder(config, 'outDir'), this.#folder(config, 'rootDir')]
    const inside = to === undefined ? '..' : path.relative(to, output)
    if (inside.startsWith('..') || path.isAbsolute(inside)) return undefined
    return path.join(from ?? path.join(packageFolder, 'src'), inside)
  }

  /** Where `tsc` writes what a file is compiled to; `undefined` where nothing is said of it. */
  outputOf(file: string): string | undefined {
    const config = this.#nearest(file)
    const to = config && this.#folder(config, 'outDir')
    if (config === undefined || to === undefined) return undefined
    const from = this.#folder(config, 'rootDir') ?? path.join(path.dirname(config), 'src')
    const inside = path.relative(from, file)
    if (inside.startsWith('..') || path.isAbsolute(inside)) return undefined
    return path.join(to, inside.replace(/\.([cm]?)tsx?$/, '.$1js'))
  }

  #folder(config: string, name: 'outDir' | 'rootDir'): string | undefined {
    const found = this.#find(config, name)
    return found === undefined ? undefined : path.resolve(found.folder, found.value)
  }

  /** An option, with the folder of the file that sets it; of several parents the last one counts. */
  #find<Name extends keyof Options>(
    file: string,
    name: Name,
    seen: ReadonlySet<string> = new Set(),
  ): { readonly value: NonNullable<Options[Name]>; readonly folder: string } | undefined {
    if (seen.has(file) || !this.#files.isFile(file)) return undefined
    const { extends: parents = [], compilerOptions } = readConfig(this.#files, file)
    const folder = path.dirname(file)
    const value = compilerOptions?.[name]
    if (value !== undefined) return { value, folder }
    for (const parent of [parents].flat().toReversed()) {
      const found = this.#find(extendedFile(parent, folder), name, new Set([...seen, file]))
      if (found !== undefined) return found
    }
    return undefined
  }
}
