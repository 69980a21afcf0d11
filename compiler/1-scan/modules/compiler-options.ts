/** Answers what tsconfig.json says about a file: how it is transpiled, from where to where, and where its imports lead. */
import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import { matchStar } from './package-exports.ts'
import { emitted, nearestTsconfig, readTsconfig } from './tsconfig.ts'
import type { TsOptions } from './tsconfig.ts'

export class CompilerOptions {
  readonly #files: SourceFiles
  /** The options that map imports, by folder. */
  readonly #mappings = new Map<string, TsOptions>()

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

  /** Returns the paths to try for an import, by `paths` and `baseUrl`, best first. */
  candidates(specifier: string, importer: string): string[] {
    const { paths = {}, baseUrl, pathsFolder } = this.#mappingFor(path.dirname(importer))
    const base = baseUrl ?? pathsFolder ?? ''
    const mapped = Object.entries(paths).flatMap(([pattern, targets]) => {
      const star = matchStar(pattern, specifier)
      if (star === undefined) return []
      return targets.map((target) => path.resolve(base, target.replace('*', star)))
    })
    return baseUrl === undefined ? mapped : [...mapped, path.resolve(baseUrl, specifier)]
  }

  /** Returns the options of the nearest tsconfig.json that maps imports, itself or in a project that it references. */
  #mappingFor(folder: string): TsOptions {
    const known = this.#mappings.get(folder)
    if (known !== undefined) return known
    // The root is above itself.
    this.#mappings.set(folder, {})
    const file = nearestTsconfig(this.#files, path.join(folder, 'file'))
    if (file === undefined) return {}
    const options = this.#mappingIn(file) ?? this.#mappingFor(path.dirname(path.dirname(file)))
    this.#mappings.set(folder, options)
    return options
  }

  #mappingIn(file: string, seen = new Set<string>()): TsOptions | undefined {
    if (seen.has(file) || !this.#files.isFile(file)) return undefined
    seen.add(file)
    const { options, references } = readTsconfig(this.#files, file)
    if (options.paths !== undefined || options.baseUrl !== undefined) return options
    for (const reference of references) {
      const found = this.#mappingIn(reference, seen)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Moves a path from one folder to the other, if the path is in the first. */
  #moved(
    config: string,
    file: string,
    from: 'outDir' | 'rootDir',
    to: 'outDir' | 'rootDir',
  ): string | undefined {
    const { options } = readTsconfig(this.#files, config)
    const { outDir, rootDir = path.join(path.dirname(config), 'src') } = options
    if (outDir === undefined) return undefined
    const folders = { outDir, rootDir }
    const inside = path.relative(folders[from], file)
    const isOutside = inside.startsWith('..') || path.isAbsolute(inside)
    return isOutside ? undefined : path.join(folders[to], inside)
  }

  #optionsFor(file: string): TsOptions {
    const config = nearestTsconfig(this.#files, file)
    return config === undefined ? {} : readTsconfig(this.#files, config).options
  }
}
