import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { Project } from '../project.ts'
import { CompilerOptions } from './compiler-options.ts'
import { PathMappings } from './path-mappings.ts'

export type Resolution =
  /** A file of the application, or of a package of its workspace. */
  | { readonly type: 'file'; readonly file: string }
  /** An installed package; `file` is what importing it loads, where that can be found. */
  | { readonly type: 'package'; readonly specifier: string; readonly file: string | undefined }
  | { readonly type: 'builtin'; readonly specifier: string }
  | { readonly type: 'missing' }

/** A file name as written, to the names that its source may have. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.js', '.ts', '.tsx', '.jsx'],
  '.jsx': ['.jsx', '.tsx'],
  '.mjs': ['.mjs', '.mts'],
  '.cjs': ['.cjs', '.cts'],
}

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx', '.json']

/** Which file an import means, without loading any. */
export class Resolver {
  readonly #project: Pick<Project, 'files'>
  readonly #mappings: PathMappings
  readonly #options: CompilerOptions
  readonly #manifests = new Map<string, Manifest | undefined>()

  constructor(project: Pick<Project, 'files'>) {
    this.#project = project
    this.#mappings = new PathMappings(project.files)
    this.#options = new CompilerOptions(project.files)
  }

  /** `conditions` are those of package.json `exports`, beside `default`. Links are followed, as Node follows them. */
  resolve(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const found = this.#find(specifier, importer, conditions)
    return found.type === 'file' ? { ...found, file: this.#project.files.real(found.file) } : found
  }

  #find(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    if (specifier.startsWith('node:') || isBuiltin(specifier)) {
      return { type: 'builtin', specifier: specifier.replace(/^node:/, '') }
    }
    if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
      return this.#local(path.resolve(path.dirname(importer), specifier))
    }
    if (specifier.startsWith('file://')) return this.#local(new URL(specifier).pathname)
    for (const candidate of this.#mappings.candidates(specifier, importer)) {
      const found = this.#local(candidate)
      if (found.type === 'file') return found
    }
    if (specifier.startsWith('#')) return this.#internal(specifier, importer, conditions)
    return this.#bare(specifier, importer, conditions)
  }

  #local(target: string): Resolution {
    const file = this.#sourceFile(target)
    return file === undefined ? { type: 'missing' } : { type: 'file', file }
  }

  /** The source of a path as an import writes it: with another extension, none, or a folder. */
  #sourceFile(target: string): string | undefined {
    const extension = path.extname(target)
    const stem = target.slice(0, target.length - extension.length)
    const candidates = [
      target,
      ...(sourcesOf[extension] ?? []).map((other) => stem + other),
      ...extensions.map((other) => target + other),
    ]
    const file = candidates.find((candidate) => this.#project.files.isFile(candidate))
    if (file !== undefined) return file
    const main = this.#manifest(target)?.main
    const viaMain = main === undefined ? undefined : this.#sourceFile(path.join(target, main))
    if (viaMain !== undefined) return viaMain
    return extensions
      .map((other) => path.join(target, `index${other}`))
      .find((candidate) => this.#project.files.isFile(candidate))
  }

  #internal(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const folder = this.#packageOf(importer)
    const imports = folder === undefined ? undefined : this.#manifest(folder)?.imports
    const target = imports === undefined ? undefined : matchSubpath(imports, specifier, conditions)
    if (folder === undefined || target === undefined) return { type: 'missing' }
    if (target.startsWith('.')) {
      const file = this.#targetFile(folder, target)
      return file === undefined ? { type: 'missing' } : { type: 'file', file }
    }
    return this.#find(target, path.join(folder, 'package.json'), conditions)
  }

  #bare(specifier: string, importer: string, conditions: readonly string[]): Resolution {
    const [, name = specifier, subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? []
    const folder = this.#installed(name, importer)
    if (folder === undefined) return { type: 'missing' }
    const file = this.#packageFile(folder, subpath, conditions)
    if (isInstalled(folder)) {
      return { type: 'package', specifier, file }
    }
    return file === undefined ? { type: 'missing' } : { type: 'file', file }
  }

  /** The real folder of a package: installed, linked from a workspace, or the importer's own. */
  #installed(name: string, importer: string): string | undefined {
    const own = this.#packageOf(importer)
    if (own !== undefined && this.#manifest(own)?.name === name) return own
    for (let folder = path.dirname(importer); ; folder = path.dirname(folder)) {
      const candidate = path.join(folder, 'node_modules', name)
      if (this.#project.files.exists(candidate)) return this.#project.files.real(candidate)
      if (folder === path.dirname(folder)) return undefined
    }
  }

  #packageFile(folder: string, subpath: string, conditions: readonly string[]): string | undefined {
    const manifest = this.#manifest(folder)
    const target =
      manifest?.exports === undefined
        ? subpath === ''
          ? (manifest?.main ?? manifest?.module ?? '.')
          : `.${subpath}`
        : matchSubpath(toSubpaths(manifest.exports), `.${subpath}`, conditions)
    if (target === undefined) return undefined
    return this.#targetFile(folder, target)
  }

  /** What a package.json names: of the application's own packages the sources, even if they are built. */
  #targetFile(folder: string, target: string): string | undefined {
    const file = path.resolve(folder, target)
    const source = isInstalled(folder) ? undefined : this.#options.sourceOf(file, folder)
    return (
      (source === undefined ? undefined : this.#sourceFile(source)) ??
      this.#sourceFile(file) ??
      this.#unbuiltSource(folder, target)
    )
  }

  /** A workspace package that is not built yet has its sources in `src`. */
  #unbuiltSource(folder: string, target: string): string | undefined {
    const manifest = this.#manifest(folder)
    const inSource = target.replace(/^(?:\.\/)?(?:dist|build|lib|out)\//, 'src/')
    return (
      this.#sourceFile(path.resolve(folder, inSource)) ??
      (manifest?.source === undefined
        ? undefined
        : this.#sourceFile(path.resolve(folder, manifest.source)))
    )
  }

  #packageOf(file: string): string | undefined {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      if (this.#manifest(folder) !== undefined) return folder
      if (folder === path.dirname(folder)) return undefined
    }
  }

  #manifest(folder: string): Manifest | undefined {
    if (!this.#manifests.has(folder)) {
      const file = path.join(folder, 'package.json')
      this.#manifests.set(
        folder,
        this.#project.files.isFile(file)
          ? (JSON.parse(this.#project.files.text(file)) as Manifest)
          : undefined,
      )
    }
    return this.#manifests.get(folder)
  }
}

/** Links of a workspace lead out of `node_modules`. */
function isInstalled(folder: string): boolean {
  return folder.includes(`${path.sep}node_modules${path.sep}`)
}

interface Manifest {
  readonly name?: string
  readonly main?: string
  readonly module?: string
  readonly source?: string
  readonly exports?: Target
  readonly imports?: Subpaths
}

type Target = string | null | readonly Target[] | { readonly [key: string]: Target }
type Subpaths = Readonly<Record<string, Target>>

/** `exports` may be the target of the package itself instead of a table of subpaths. */
function toSubpaths(exports: Target): Subpaths {
  const isTable =
    typeof exports === 'object' &&
    exports !== null &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith('.'))
  return isTable ? (exports as Subpaths) : { '.': exports }
}

function matchSubpath(
  table: Subpaths,
  subpath: string,
  conditions: readonly string[],
): string | undefined {
  const exact = table[subpath]
  if (exact !== undefined) return pickTarget(exact, '', conditions)
  const patterns = Object.keys(table)
    .filter((key) => key.includes('*'))
    .sort((a, b) => b.indexOf('*') - a.indexOf('*'))
  for (const pattern of patterns) {
    const [head = '', tail = ''] = pattern.split('*')
    const fits = subpath.startsWith(head) && subpath.endsWith(tail)
    if (!fits || subpath.length < head.length + tail.length) continue
    const star = subpath.slice(head.length, subpath.length - tail.length)
    return pickTarget(table[pattern] as Target, star, conditions)
  }
  return undefined
}

function pickTarget(
  target: Target,
  star: string,
  conditions: readonly string[],
): string | undefined {
  if (typeof target === 'string') return target.replaceAll('*', star)
  if (target === null) return undefined
  if (Array.isArray(target)) {
    return (target as readonly Target[])
      .map((one) => pickTarget(one, star, conditions))
      .find((one) => one !== undefined)
  }
  for (const [condition, inner] of Object.entries(target as Record<string, Target>)) {
    if (condition !== 'default' && !conditions.includes(condition)) continue
    const found = pickTarget(inner, star, conditions)
    if (found !== undefined) return found
  }
  return undefined
}
