/** Reads tsconfig.json files with everything they extend. */
import path from 'node:path'
import { parseJsonWithComments } from '../json.ts'
import type { SourceFiles } from '../../util/source-files.ts'

/** The options that affect the JavaScript made of TypeScript. */
export const emitted = [
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

/** The options of the scan and of transpilers. Folders are absolute. */
export interface TsOptions extends Readonly<Partial<Record<(typeof emitted)[number], unknown>>> {
  readonly allowImportingTsExtensions?: boolean
  readonly baseUrl?: string
  readonly outDir?: string
  readonly paths?: Readonly<Record<string, readonly string[]>>
  /** The folder of the file that sets `paths`. */
  readonly pathsFolder?: string
  readonly rootDir?: string
}

export interface Tsconfig {
  readonly options: TsOptions
  /** Absolute names of the tsconfig.json files that it references. */
  readonly references: readonly string[]
}

interface Written {
  readonly extends?: string | readonly string[]
  readonly compilerOptions?: TsOptions
  readonly references?: readonly { readonly path: string }[]
}

/** Returns the tsconfig.json file in the folder of a file or above it. */
export function nearestTsconfig(files: SourceFiles, file: string): string | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const config = path.join(folder, 'tsconfig.json')
    if (files.isFile(config)) return config
    if (folder === path.dirname(folder)) return undefined
  }
}

/** Reads a file; the options that it sets take precedence over inherited ones. Missing parents are ignored. */
export function readTsconfig(
  files: SourceFiles,
  file: string,
  children: readonly string[] = [],
): Tsconfig {
  const written = (parseJsonWithComments(files.text(file)) ?? {}) as Written
  const folder = path.dirname(file)
  const parents = [written.extends ?? []].flat().flatMap((parent) => {
    const found = findParent(files, parent, folder)
    const isCycle = found === file || children.includes(found ?? '')
    return found === undefined || isCycle ? [] : readTsconfig(files, found, [...children, file])
  })
  const own = written.compilerOptions ?? {}
  const absolute = (['baseUrl', 'outDir', 'rootDir'] as const).flatMap((name) => {
    const value = own[name]
    return value === undefined ? [] : [[name, path.resolve(folder, value)]]
  })
  const options = Object.assign(
    {},
    ...parents.map((parent) => parent.options),
    own,
    Object.fromEntries(absolute),
    own.paths && { pathsFolder: folder },
  ) as TsOptions
  const references = (written.references ?? []).map((one) => {
    const target = path.resolve(folder, one.path)
    return target.endsWith('.json') ? target : path.join(target, 'tsconfig.json')
  })
  return { options, references }
}

/** Finds what `extends` names: a file, or a file of an installed package. */
function findParent(files: SourceFiles, name: string, folder: string): string | undefined {
  const isPath = name.startsWith('.') || path.isAbsolute(name)
  const target = isPath ? path.resolve(folder, name) : path.join(folder, 'node_modules', name)
  const candidates = [target, `${target}.json`, path.join(target, 'tsconfig.json')]
  const found = candidates.find((candidate) => files.isFile(candidate))
  const above = path.dirname(folder)
  return found ?? (isPath || above === folder ? undefined : findParent(files, name, above))
}
