/**
 * Resolves imports to files, as Node does for JavaScript and as bundlers do for TypeScript. Of the application's own packages it
 * finds the sources if they aren't built, or if tsconfig.json says where they are.
 *
 * Every look at the disk goes through `SourceFiles`, so that a later build knows whether an import would now lead elsewhere.
 * `oxc-resolver` reads the disk itself and doesn't report which files it looked for.
 */
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isNodeModule } from '../module-kind.ts'
import { parsePackageJson, type PackageJson } from '../package-json.ts'
import { isPackageFile } from '../paths.ts'
import type { SourceFiles } from '../source-files.ts'
import { CompilerOptions } from './compiler-options.ts'
import { matchSubpath, toSubpaths, type Subpaths, type Target } from './package-exports.ts'

export type Resolution =
  /** A file of the application, or of a package of its workspace. */
  | { readonly type: 'file'; readonly file: string }
  /** An installed package; `file` is its module, if it can be found. */
  | { readonly type: 'package'; readonly specifier: string; readonly file: string | undefined }
  | { readonly type: 'builtin'; readonly specifier: string }
  | { readonly type: 'missing' }

/** The extensions of sources, by the extension of their output. */
const sourceExtensions: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.js', '.ts', '.tsx', '.jsx'],
  '.jsx': ['.jsx', '.tsx'],
  '.mjs': ['.mjs', '.mts'],
  '.cjs': ['.cjs', '.cts'],
}

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx', '.json']

interface Package extends PackageJson {
  readonly main?: string
  readonly module?: string
  readonly source?: string
  readonly exports?: Target
  readonly imports?: Subpaths
}

export class Resolver {
  readonly #files: SourceFiles
  readonly #options: CompilerOptions
  readonly #packages = new Map<string, Package | undefined>()
  readonly #dependencies = new Map<string, ReadonlySet<string>>()
  /** The compiled files that the application's own packages export, with the sources that are read in their place. */
  readonly #compiled = new Map<string, string>()

  constructor(files: SourceFiles) {
    this.#files = files
    this.#options = new CompilerOptions(files)
  }

  /** Resolves with the given conditions of package.json and `default`, and follows symbolic links. */
  resolve(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const result = this.#find(specifier, importer, conditions)
    return result.type === 'file' ? { ...result, file: this.#files.real(result.file) } : result
  }

  /**
   * Returns the compiled files that the process runs in place of sources. A package that exports a compiled file runs others as well:
   * those that it imports.
   */
  compiledFor(sources: Iterable<string>): ReadonlyMap<string, string> {
    const folders = new Set([...this.#compiled.values()].map((source) => this.#packageOf(source)))
    const others = [...sources].flatMap((source): [string, string][] => {
      const output = folders.has(this.#packageOf(source)) && this.#options.outputOf(source)
      return output && output !== source && this.#files.isFile(output) ? [[output, source]] : []
    })
    return new Map([...this.#compiled, ...others])
  }

  /** Returns the names that the package of a specifier lists as dependencies. */
  dependenciesOf(specifier: string, importer: string): ReadonlySet<string> {
    const key = `${specifier}\n${path.dirname(importer)}`
    let names = this.#dependencies.get(key)
    if (names === undefined) {
      const folder = this.#folderOf(nameOf(specifier)[0], importer)
      const { dependencies, peerDependencies } = (folder && this.#packageJson(folder)) || {}
      names = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
      this.#dependencies.set(key, names)
    }
    return names
  }

  /** Returns whether TypeScript finds declarations at a path that leads to no module: it removes imports of their types. */
  hasOnlyTypes(specifier: string, importer: string): boolean {
    if (!specifier.startsWith('.') || !/\.[cm]?tsx?$/.test(importer)) return false
    const target = path.resolve(path.dirname(importer), specifier)
    const [, name = target, kind = ''] = /^(.*)\.([cm]?)js$/.exec(target) ?? []
    const candidates = [`${name}.d.${kind}ts`, path.join(target, 'index.d.ts')]
    return candidates.some((candidate) => this.#files.isFile(candidate))
  }

  #find(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    if (isNodeModule(specifier)) {
      return { type: 'builtin', specifier: specifier.replace(/^node:/, '') }
    }
    if (/^\.{0,2}\/|^\.{1,2}$/.test(specifier)) {
      // Specifiers of ES modules are URLs.
      const isUrl = /[%?#]/.test(specifier) && conditions.includes('import')
      const decoded = isUrl && toPath(new URL(specifier, pathToFileURL(importer)).href)
      const found = decoded ? this.#sourceFile(decoded) : undefined
      const written = path.resolve(path.dirname(importer), specifier)
      return toResolution(found ?? this.#sourceFile(written))
    }
    if (specifier.startsWith('file://')) {
      const file = toPath(specifier)
      return toResolution(file && this.#sourceFile(file))
    }
    for (const candidate of this.#options.candidates(specifier, importer)) {
      const file = this.#sourceFile(candidate)
      if (file !== undefined) return { type: 'file', file }
    }
    return specifier.startsWith('#')
      ? this.#internal(specifier, importer, conditions)
      : this.#bare(specifier, importer, conditions)
  }

  /** Returns the source of a path that may have another extension, none, or be a folder (https://nodejs.org/api/modules.html#all-together). */
  #sourceFile(target: string): string | undefined {
    const file = this.#fileAt(target)
    if (file !== undefined) return file
    const main = this.#packageJson(target)?.main
    const named = main === undefined ? target : path.resolve(target, main)
    return this.#fileAt(named) ?? this.#indexOf(named) ?? this.#indexOf(target)
  }

  #fileAt(target: string): string | undefined {
    const extension = path.extname(target)
    const stem = target.slice(0, target.length - extension.length)
    return this.#firstFile([
      target,
      ...(sourceExtensions[extension] ?? []).map((other) => stem + other),
      ...extensions.map((other) => target + other),
    ])
  }

  #indexOf(folder: string): string | undefined {
    return this.#firstFile(extensions.map((one) => path.join(folder, `index${one}`)))
  }

  #firstFile(candidates: readonly string[]): string | undefined {
    return candidates.find((candidate) => this.#files.isFile(candidate))
  }

  #internal(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const folder = this.#packageOf(importer)
    const { imports = {} } = (folder !== undefined && this.#packageJson(folder)) || {}
    const target = matchSubpath(imports, specifier, conditions)
    if (folder === undefined || target === undefined) return { type: 'missing' }
    return target.startsWith('.')
      ? toResolution(this.#targetFile(folder, target))
      : this.#find(target, path.join(folder, 'package.json'), conditions)
  }

  #bare(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const [name, subpath] = nameOf(specifier)
    const folder = this.#folderOf(name, importer)
    if (folder === undefined) return { type: 'missing' }
    const file = this.#packageFile(folder, subpath, conditions)
    // Links of a workspace lead out of `node_modules`.
    return isPackageFile(folder) ? { type: 'package', specifier, file } : toResolution(file)
  }

  /** Returns the real folder of a package: installed, linked from a workspace, or the importer's own. */
  #folderOf(name: string, importer: string): string | undefined {
    const own = this.#packageOf(importer)
    if (own !== undefined && this.#packageJson(own)?.name === name) return own
    const folder = foldersAbove(importer)
      .map((one) => path.join(one, 'node_modules', name))
      .find((one) => this.#files.exists(one))
    return folder && this.#files.real(folder)
  }

  #packageFile(folder: string, subpath: string, conditions: readonly string[]): string | undefined {
    const { exports, main, module } = this.#packageJson(folder) ?? {}
    const unlisted = subpath === '' ? (main ?? module ?? '.') : `.${subpath}`
    const target =
      exports === undefined
        ? unlisted
        : matchSubpath(toSubpaths(exports), `.${subpath}`, conditions)
    return target === undefined ? undefined : this.#targetFile(folder, target)
  }

  /** Returns the file of a target in package.json, or the source that it is built from. */
  #targetFile(folder: string, target: string): string | undefined {
    const file = path.resolve(folder, target)
    const inSource = target.replace(/^(?:\.\/)?(?:dist|build|lib|out)\//, 'src/')
    const originals = isPackageFile(folder) ? [] : this.#options.sourcesOf(file, folder)
    for (const original of originals) {
      const source = this.#sourceFile(original)
      if (source === undefined) continue
      if (source !== file && this.#files.isFile(file)) this.#compiled.set(file, source)
      return source
    }
    const { source: named } = this.#packageJson(folder) ?? {}
    const candidates = [file, path.resolve(folder, inSource), named && path.resolve(folder, named)]
    for (const candidate of candidates) {
      const found = candidate && this.#sourceFile(candidate)
      if (found) return found
    }
    return undefined
  }

  #packageOf(file: string): string | undefined {
    return foldersAbove(file).find((folder) => this.#packageJson(folder) !== undefined)
  }

  #packageJson(folder: string): Package | undefined {
    if (!this.#packages.has(folder)) {
      const file = path.join(folder, 'package.json')
      const text = this.#files.isFile(file) ? this.#files.text(file) : undefined
      this.#packages.set(
        folder,
        text === undefined ? undefined : (parsePackageJson(text) as Package),
      )
    }
    return this.#packages.get(folder)
  }
}

function nameOf(specifier: string): [name: string, subpath: string] {
  const [, name = specifier, subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? []
  return [name, subpath]
}

/** Returns the path of a file URL; `undefined` if the URL names no file, as with a host. */
function toPath(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function toResolution(file: string | undefined): Resolution {
  return file === undefined ? { type: 'missing' } : { type: 'file', file }
}

/** Returns the folder of a file and those above it, innermost first. */
function foldersAbove(file: string): string[] {
  const folder = path.dirname(file)
  return folder === file ? [] : [folder, ...foldersAbove(folder)]
}
