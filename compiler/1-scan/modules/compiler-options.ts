/** Answers what tsconfig.json says about a file: how it is transpiled, and from where to where. */
import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import { nearestTsconfig, readTsconfig } from './tsconfig.ts'
import type { TsOptions } from './tsconfig.ts'

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

export class CompilerOptions {
  readonly #files: SourceFiles

  constructor(files: SourceFiles) {
    this.#files = files
  }

  /** Returns whether decorators follow TypeScript's older semantics, not those of JavaScript. */
  hasLegacyDecorators(file: string): boolean {
    return /\.[cm]?tsx?$/.test(file) && this.#optionsFor(file).experimentalDecorators === true
  }

  /** Returns whether imports may name modules by their source, with `.ts`. */
  importsTypeScript(file: string): boolean {
    return this.#optionsFor(file).allowImportingTsExtensions === true
  }

  /** Returns the options that affect the JavaScript made of a TypeScript file. */
  emitOptions(file: string): TsOptions {
    const options = this.#optionsFor(file)
    return Object.fromEntries(
      emitted.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    )
  }

  /** Returns the source of a compiled file of a package, with the extension of the output; `undefined` without `outDir`. */
  sourceOf(output: string, packageFolder: string): string | undefined {
    const config = path.join(packageFolder, 'tsconfig.json')
    return this.#files.isFile(config) ? this.#moved(config, output, 'outDir', 'rootDir') : undefined
  }

  /** Returns where `tsc` writes the output of a source file; `undefined` without `outDir`. */
  outputOf(file: string): string | undefined {
    const config = nearestTsconfig(this.#files, file)
    const output = config && this.#moved(config, file, 'rootDir', 'outDir')
    return output?.replace(/\.([cm]?)tsx?$/, '.$1js')
  }

  /** Moves a path from one folder to the other, if the path is in the first. */
  #moved(
    config: string,
    file: string,
    from: 'outDir' | 'rootDir',
    to: 'outDir' | 'rootDir',
  ): string | undefined {
    const { outDir, rootDir = path.join(path.dirname(config), 'src') } = this.#read(config)
    if (outDir === undefined) return undefined
    const folders = { outDir, rootDir }
    const inside = path.relative(folders[from], file)
    const isOutside = inside.startsWith('..') || path.isAbsolute(inside)
    return isOutside ? undefined : path.join(folders[to], inside)
  }

  #optionsFor(file: string): TsOptions {
    const config = nearestTsconfig(this.#files, file)
    return config === undefined ? {} : this.#read(config)
  }

  #read(config: string): TsOptions {
    return readTsconfig(this.#files, config).options
  }
}
