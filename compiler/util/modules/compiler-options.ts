/** Reads what tsconfig.json says about a file: how it is transpiled, from where to where, and where its imports lead. */
import path from 'node:path'
import { readJson } from '../read-json.ts'
import type { SourceFiles } from '../source-files.ts'
import { matchPatterns } from './package-exports.ts'
import { commonFolder, type NamedSources } from './source-folder.ts'

/** The options in use. Folders are absolute. */
interface TsOptions {
  readonly allowImportingTsExtensions?: boolean
  readonly baseUrl?: string
  readonly composite?: boolean
  readonly emitDecoratorMetadata?: boolean
  readonly experimentalDecorators?: boolean
  readonly outDir?: string
  readonly paths?: Readonly<Record<string, readonly string[]>>
  /** The folder of the file that sets `paths`. */
  readonly pathsFolder?: string
  readonly rootDir?: string
}

interface Tsconfig extends NamedSources {
  readonly options: TsOptions
  /** Absolute names of the tsconfig.json files that it references. */
  readonly references: readonly string[]
}

/** tsconfig.json as written. */
interface Written extends NamedSources {
  readonly extends?: string | readonly string[]
  readonly compilerOptions?: TsOptions
  readonly references?: readonly { readonly path: string }[]
}

export class CompilerOptions {
  readonly #files: SourceFiles
  readonly #mappings = new Map<string, TsOptions>()
  /** By folder. */
  readonly #options = new Map<string, TsOptions>()
  /** By tsconfig.json. */
  readonly #sourceFolders = new Map<string, string>()

  constructor(files: SourceFiles) {
    this.#files = files
  }

  /** Returns the options of a file, with those that it inherits. */
  of(file: string): TsOptions {
    const folder = path.dirname(file)
    const cached = this.#options.get(folder)
    if (cached !== undefined) return cached
    const config = this.#nearest(folder)
    const options = config === undefined ? {} : this.#read(config).options
    this.#options.set(folder, options)
    return options
  }

  /** Returns whether decorators follow TypeScript's older semantics, not those of JavaScript. */
  hasLegacyDecorators(file: string): boolean {
    return /\.[cm]?tsx?$/.test(file) && this.of(file).experimentalDecorators === true
  }

  /** Returns where the source of a compiled file of a package may be, with the extension of the output. */
  sourcesOf(output: string, packageFolder: string): readonly string[] {
    const config = path.join(packageFolder, 'tsconfig.json')
    return this.#files.isFile(config) ? this.#moved(config, output, 'outDir', 'rootDir') : []
  }

  /** Returns where `tsc` or another compiler writes the output of a source file; `undefined` without `outDir`, or if it's outside of the sources. */
  outputOf(file: string): string | undefined {
    const config = this.#nearest(path.dirname(file))
    const moved = config === undefined ? [] : this.#moved(config, file, 'rootDir', 'outDir')
    const outputs = moved.map((output) => output.replace(/\.([cm]?)tsx?$/, '.$1js'))
    return outputs.find((output) => this.#files.isFile(output)) ?? outputs[0]
  }

  /** Returns the paths to try for an import, by `paths` and `baseUrl`, best first. */
  candidates(specifier: string, importer: string): string[] {
    const { paths = {}, baseUrl, pathsFolder } = this.#mappingFor(path.dirname(importer))
    const base = baseUrl ?? pathsFolder ?? ''
    const mapped = matchPatterns(paths, specifier).flatMap(({ target: targets, star }) =>
      targets.map((target) => path.resolve(base, target.split('*').join(star))),
    )
    return baseUrl === undefined ? mapped : [...mapped, path.resolve(baseUrl, specifier)]
  }

  /** Returns the options of the nearest tsconfig.json that maps imports, itself or in a project that it references. */
  #mappingFor(folder: string): TsOptions {
    const cached = this.#mappings.get(folder)
    if (cached !== undefined) return cached
    // The recursion ends with this value at the root, because the folder above it is the root itself.
    this.#mappings.set(folder, {})
    const file = this.#nearest(folder)
    if (file === undefined) return {}
    const options = this.#mappingIn(file) ?? this.#mappingFor(path.dirname(path.dirname(file)))
    this.#mappings.set(folder, options)
    return options
  }

  #mappingIn(file: string, seen = new Set<string>()): TsOptions | undefined {
    if (seen.has(file) || !this.#files.isFile(file)) return undefined
    seen.add(file)
    const { options, references } = this.#read(file)
    if (options.paths !== undefined || options.baseUrl !== undefined) return options
    for (const reference of references) {
      const found = this.#mappingIn(reference, seen)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns paths of a file in the other of two folders. */
  #moved(
    config: string,
    file: string,
    from: 'outDir' | 'rootDir',
    to: 'outDir' | 'rootDir',
  ): readonly string[] {
    // Builds often leave tests out by such a file.
    const forBuild = config.replace(/json$/, 'build.json')
    const used = this.#files.isFile(forBuild) ? forBuild : config
    const { outDir, rootDir } = this.#read(used).options
    if (outDir === undefined) return []
    // Other compilers than `tsc` are usually given `src`.
    const assumed = path.join(path.dirname(config), 'src')
    const roots = rootDir === undefined ? [this.#defaultRootDir(used), assumed] : [rootDir]
    return roots.flatMap((root) => {
      const folders = { outDir, rootDir: root }
      const inside = path.relative(folders[from], file)
      const isOutside = inside.startsWith('..') || path.isAbsolute(inside)
      return isOutside ? [] : path.join(folders[to], inside)
    })
  }

  /** Returns TypeScript's default: the folder of tsconfig.json, or before version 6 the common folder of all sources. */
  #defaultRootDir(config: string): string {
    const cached = this.#sourceFolders.get(config)
    if (cached !== undefined) return cached
    const folder = path.dirname(config)
    const packageJson = this.#findJson('typescript/package.json', folder)
    const read = readJson(packageJson === undefined ? '{}' : this.#files.text(packageJson), false)
    const { version = '' } = ('value' in read ? read.value : {}) as { version?: string }
    const { options, ...named } = this.#read(config)
    const isFolder = Number.parseInt(version) >= 6 || options.composite === true
    const all = named.files === undefined ? [path.join(folder, '**/*')] : []
    const found = isFolder
      ? folder
      : commonFolder(this.#files, { include: all, ...named }, options.outDir ?? '')
    const sourceFolder = found ?? path.join(folder, 'src')
    this.#sourceFolders.set(config, sourceFolder)
    return sourceFolder
  }

  #nearest(folder: string): string | undefined {
    const config = path.join(folder, 'tsconfig.json')
    if (this.#files.isFile(config)) return config
    const above = path.dirname(folder)
    return above === folder ? undefined : this.#nearest(above)
  }

  /** Reads a file; the options that it sets take precedence over inherited ones. Missing parents are ignored. */
  #read(file: string, children: readonly string[] = []): Tsconfig {
    // TypeScript's `${configDir}` is the folder of the file that extends the others, escaped here because it's replaced in JSON.
    const configDir = JSON.stringify(path.dirname(children[0] ?? file)).slice(1, -1)
    const read = readJson(
      this.#files.text(file).replaceAll('${configDir}', () => configDir),
      true,
    )
    const written = (('value' in read && read.value) || {}) as Written
    const folder = path.dirname(file)
    const parents = [written.extends ?? []].flat().flatMap((parent) => {
      const found = this.#findJson(parent, folder)
      const isCycle = found === file || children.includes(found ?? '')
      return found === undefined || isCycle ? [] : this.#read(found, [...children, file])
    })
    const own = written.compilerOptions ?? {}
    const folders = (['baseUrl', 'outDir', 'rootDir'] as const).flatMap((name) => {
      const value = own[name]
      return value === undefined ? [] : [[name, path.resolve(folder, value)]]
    })
    const absolute = { ...Object.fromEntries(folders), ...(own.paths && { pathsFolder: folder }) }
    const references = (written.references ?? []).map((one) => {
      const target = path.resolve(folder, one.path)
      return target.endsWith('.json') ? target : path.join(target, 'tsconfig.json')
    })
    const options = Object.assign(
      {},
      ...parents.map((one) => one.options),
      own,
      absolute,
    ) as TsOptions
    const sources = (['files', 'include', 'exclude'] as const).flatMap((name) => {
      const patterns = written[name]?.map((pattern) => path.resolve(folder, pattern))
      return patterns === undefined ? [] : [[name, patterns]]
    })
    const inherited = Object.assign({}, ...parents) as NamedSources
    return { ...inherited, ...Object.fromEntries(sources), options, references }
  }

  /** Finds a JSON file by its path or in an installed package, as `extends` does: the extension and `tsconfig.json` may be missing. */
  #findJson(name: string, folder: string): string | undefined {
    const isPath = name.startsWith('.') || path.isAbsolute(name)
    const target = isPath ? path.resolve(folder, name) : path.join(folder, 'node_modules', name)
    const candidates = [target, `${target}.json`, path.join(target, 'tsconfig.json')]
    const found = candidates.find((candidate) => this.#files.isFile(candidate))
    const above = path.dirname(folder)
    return found ?? (isPath || above === folder ? undefined : this.#findJson(name, above))
  }
}
