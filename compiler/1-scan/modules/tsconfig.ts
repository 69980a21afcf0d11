import path from 'node:path'
import type { Project } from '../project.ts'
import { parseJsonWithComments } from './json-with-comments.ts'
import type { SourceFiles } from '../../util/source-files.ts'

interface Mapping {
  readonly base: string
  readonly hasBaseUrl: boolean
  readonly paths: Readonly<Record<string, readonly string[]>>
}

/** `paths` and `baseUrl` of the tsconfig.json next to the importing file. */
export class PathMappings {
  readonly #project: Pick<Project, 'files'>
  readonly #byFolder = new Map<string, Mapping | undefined>()

  constructor(project: Pick<Project, 'files'>) {
    this.#project = project
  }

  /** The paths to try for a specifier, best first. */
  candidates(specifier: string, importer: string): string[] {
    const mapping = this.#nearest(path.dirname(importer))
    if (mapping === undefined) return []
    const result: string[] = []
    for (const [pattern, targets] of Object.entries(mapping.paths)) {
      const star = matchStar(pattern, specifier)
      if (star === undefined) continue
      result.push(...targets.map((target) => path.resolve(mapping.base, target.replace('*', star))))
    }
    if (mapping.hasBaseUrl) result.push(path.resolve(mapping.base, specifier))
    return result
  }

  #nearest(folder: string): Mapping | undefined {
    if (!this.#byFolder.has(folder)) {
      const { files } = this.#project
      const file = path.join(folder, 'tsconfig.json')
      const parent = path.dirname(folder)
      const own = files.isFile(file) ? readMapping(files, file, new Set()) : undefined
      this.#byFolder.set(folder, own ?? (parent === folder ? undefined : this.#nearest(parent)))
    }
    return this.#byFolder.get(folder)
  }
}

export interface Config {
  readonly extends?: string | readonly string[]
  readonly compilerOptions?: {
    readonly baseUrl?: string
    readonly emitDecoratorMetadata?: boolean
    readonly allowImportingTsExtensions?: boolean
    readonly experimentalDecorators?: boolean
    readonly jsx?: string
    readonly jsxFactory?: string
    readonly jsxFragmentFactory?: string
    readonly jsxImportSource?: string
    readonly target?: string
    readonly useDefineForClassFields?: boolean
    readonly verbatimModuleSyntax?: boolean
    readonly rootDir?: string
    readonly outDir?: string
    readonly paths?: Readonly<Record<string, readonly string[]>>
  }
  readonly references?: readonly { readonly path: string }[]
}

function readMapping(files: SourceFiles, file: string, seen: Set<string>): Mapping | undefined {
  if (seen.has(file) || !files.exists(file)) return undefined
  seen.add(file)
  const config = readConfig(files, file)
  const options = config.compilerOptions
  const folder = path.dirname(file)
  if (options?.paths !== undefined || options?.baseUrl !== undefined) {
    return {
      base: path.resolve(folder, options.baseUrl ?? '.'),
      hasBaseUrl: options.baseUrl !== undefined,
      paths: options.paths ?? {},
    }
  }
  for (const parent of [config.extends ?? []].flat()) {
    const found = readMapping(files, extendedFile(parent, folder), seen)
    if (found !== undefined) return found
  }
  for (const reference of config.references ?? []) {
    const target = path.resolve(folder, reference.path)
    const found = readMapping(
      files,
      target.endsWith('.json') ? target : path.join(target, 'tsconfig.json'),
      seen,
    )
    if (found !== undefined) return found
  }
  return undefined
}

export function readConfig(files: SourceFiles, file: string): Config {
  return (parseJsonWithComments(files.text(file)) ?? {}) as Config
}

export function extendedFile(parent: string, folder: string): string {
  const isRelative = parent.startsWith('.') || path.isAbsolute(parent)
  const target = isRelative
    ? path.resolve(folder, parent)
    : path.join(folder, 'node_modules', parent)
  return target.endsWith('.json') ? target : `${target}.json`
}

function matchStar(pattern: string, text: string): string | undefined {
  const [head = '', tail] = pattern.split('*')
  if (tail === undefined) return pattern === text ? '' : undefined
  const fits = text.startsWith(head) && text.endsWith(tail)
  return fits && text.length >= head.length + tail.length
    ? text.slice(head.length, text.length - tail.length)
    : undefined
}
