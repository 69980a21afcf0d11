/** Applies `paths` and `baseUrl` of tsconfig.json to imports. */
import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import { matchStar } from './package-exports.ts'
import { nearestTsconfig, readTsconfig } from './tsconfig.ts'
import type { TsOptions } from './tsconfig.ts'

export class PathMappings {
  readonly #files: SourceFiles
  readonly #byFolder = new Map<string, TsOptions>()

  constructor(files: SourceFiles) {
    this.#files = files
  }

  /** Returns the paths to try for a specifier, best first. */
  candidates(specifier: string, importer: string): string[] {
    const { paths = {}, baseUrl, pathsFolder } = this.#optionsFor(path.dirname(importer))
    const base = baseUrl ?? pathsFolder ?? ''
    const mapped = Object.entries(paths).flatMap(([pattern, targets]) => {
      const star = matchStar(pattern, specifier)
      if (star === undefined) return []
      return targets.map((target) => path.resolve(base, target.replace('*', star)))
    })
    return baseUrl === undefined ? mapped : [...mapped, path.resolve(baseUrl, specifier)]
  }

  /** Returns the options of the nearest tsconfig.json that maps paths, itself or in a project that it references. */
  #optionsFor(folder: string): TsOptions {
    let options = this.#byFolder.get(folder)
    if (options === undefined) {
      const file = nearestTsconfig(this.#files, path.join(folder, 'file'))
      options = file === undefined ? {} : (this.#read(file) ?? this.#above(file))
      this.#byFolder.set(folder, options)
    }
    return options
  }

  #above(file: string): TsOptions {
    const folder = path.dirname(file)
    const above = path.dirname(folder)
    return above === folder ? {} : this.#optionsFor(above)
  }

  #read(file: string, seen = new Set<string>()): TsOptions | undefined {
    if (seen.has(file) || !this.#files.isFile(file)) return undefined
    seen.add(file)
    const { options, references } = readTsconfig(this.#files, file)
    if (options.paths !== undefined || options.baseUrl !== undefined) return options
    for (const reference of references) {
      const found = this.#read(reference, seen)
      if (found !== undefined) return found
    }
    return undefined
  }
}
