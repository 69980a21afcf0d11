import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { ApplicationStart, Diagnostic, SourceLocation } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import { diagnostic } from '../report/errors.ts'
import { byPlace } from '../report/order.ts'
import { isPackageFile } from './module-kind.ts'
import { installedFolder } from './outside.ts'
import { OWN } from './own.ts'
import { isRuntimeFile } from './resolution.ts'
import { findsModules } from './targets/folders.ts'
import type { Platform } from './targets/platform.ts'
import { takesConnections } from './targets/sockets.ts'

/** Which modules import a module, as files and names. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

export interface LacksContext {
  readonly target: string
  readonly platform: Platform
  readonly start: ApplicationStart
  readonly importers: Importers
  /** Names of modules that are not in the bundle. */
  readonly externals: ReadonlySet<string>
  /** Modules of the application that are started as threads and processes. */
  readonly programs: Iterable<string>
  readonly root: string
}

export interface Lacks {
  /** What cannot work. */
  readonly problems: readonly Diagnostic[]
  /** What packages import, who may do without. */
  readonly warnings: readonly Diagnostic[]
}

/** Packages that are known to do without. */
const known = /[/\\]node_modules[/\\](?:pino|thread-stream|sonic-boom|light-my-request)[/\\]/

/** What a deployment imports or starts that its platform has not, with the way to it. */
export function findLacks(context: LacksContext): Lacks {
  const { platform, importers, root, target } = context
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const [name, from] of importers) {
    const builtin = builtinOf(name)
    if (builtin === undefined ? platform.isSystem || !isOutside(name) : !lacks(builtin)) continue
    for (const importer of [...from].sort()) {
      if (isRuntimeFile(importer) || known.test(importer)) continue
      const way = wayTo(importer, importers)
      const { at, chain } = describe(way, builtin ?? name)
      if (builtin === undefined)
        problems.push(diagnostic('AOT_TARGET_PACKAGE', at, name, target, chain))
      else if (way.some(findsModules))
        problems.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'finder'))
      else if (isPackageFile(importer))
        warnings.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'package'))
      else problems.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'application'))
    }
  }
  if (!platform.isSystem) {
    for (const program of context.programs) {
      const file = displayPath(program, root)
      problems.push(diagnostic('AOT_TARGET_PROCESS', { file, line: 0, column: 0 }, file, target))
    }
  }
  if (!platform.hasConnections(context.start)) warnings.push(...takingConnections())
  return { problems, warnings }

  /** Where packages that need more than requests come in: once for each that imports them. */
  function takingConnections(): readonly Diagnostic[] {
    const found = new Map<string, Diagnostic>()
    for (const [file, from] of importers) {
      const name = packageOf(file)
      if (!takesConnections(name)) continue
      for (const importer of [...from].sort()) {
        if (takesConnections(packageOf(importer))) continue
        const { at, chain } = describe(wayTo(importer, importers), name)
        const instead = platform.hasConnections({ kind: 'itself' }) ? 'listen' : 'node'
        found.set(chain, diagnostic('AOT_TARGET_CONNECTIONS', at, name, target, chain, instead))
      }
    }
    return [...found.values()].sort(byPlace)
  }

  /** The package that a file belongs to, or that is called so. */
  function packageOf(file: string): string {
    return path.isAbsolute(file) && installedFolder(file) === undefined ? '' : nameOf(file, root)
  }

  /** Where the way begins, and what lies on it. */
  function describe(way: readonly string[], last: string): { at: SourceLocation; chain: string } {
    const names = [...way.map((file) => nameOf(file, root)), last]
    const chain = names.filter((one, i) => one !== names[i - 1]).join(' > ')
    return { at: placeOf(way, last, root), chain }
  }

  function lacks(builtin: string): boolean {
    return platform.lacks.includes(builtin)
  }

  /** A package that is copied: everything else that is not bundled is of the platform. */
  function isOutside(name: string): boolean {
    return context.externals.has(name) && !isScheme(name)
  }

  function isScheme(name: string): boolean {
    return platform.schemes.some((scheme) => `${name}:`.startsWith(scheme))
  }
}

function builtinOf(name: string): string | undefined {
  const [, builtin] = ofNode.exec(name) ?? []
  if (builtin !== undefined) return builtin
  return isBuiltin(name) ? name.replace(/^node:/, '') : undefined
}

/** How modules of Node are called in a bundle. */
const ofNode = new RegExp(`^${OWN}(?:builtin|lacking)/(.+?)(?:\\.cjs)?$`)

/** The shortest way from the application, as files. */
function wayTo(file: string, importers: Importers): readonly string[] {
  const seen = new Set([file])
  let ways: (readonly string[])[] = [[file]]
  for (;;) {
    const own = ways.find(([first = '']) => !isPackageFile(first) && path.isAbsolute(first))
    if (own !== undefined) return own
    const next: (readonly string[])[] = []
    for (const way of ways) {
      for (const importer of importers.get(way[0] as string) ?? []) {
        if (seen.has(importer)) continue
        seen.add(importer)
        next.push([importer, ...way])
      }
    }
    if (next.length === 0) return ways[0] ?? [file]
    ways = next
  }
}

function nameOf(file: string, root: string): string {
  const folder = installedFolder(file)
  if (folder === undefined) return displayPath(file, root)
  return folder
    .split(/node_modules[/\\]/)
    .at(-1)
    ?.replaceAll('\\', '/') as string
}

/** Where the application imports what leads there. */
function placeOf(way: readonly string[], last: string, root: string): SourceLocation {
  const [file = root, next] = way
  const folder = next === undefined ? undefined : installedFolder(next)
  const imported = folder === undefined ? last : nameOf(next as string, root)
  return placeOfImport(file, imported, root)
}

/** Where a file names what it imports. */
export function placeOfImport(file: string, name: string, root: string): SourceLocation {
  return placeOfQuoted(file, `(?:node:)?${escaped(name)}(?:/[^'"]*)?`, root)
}

/** Where a file has a text in quotes. */
export function placeOfText(file: string, text: string, root: string): SourceLocation {
  return { ...placeOfQuoted(file, escaped(text), root), length: text.length }
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}

function placeOfQuoted(file: string, pattern: string, root: string): SourceLocation {
  const lines = path.isAbsolute(file) ? readFileSync(file, 'utf8').split('\n') : []
  const quoted = new RegExp(`['"\`]${pattern}['"\`]`)
  const line = lines.findIndex((text) => quoted.test(text))
  const column = line === -1 ? 0 : (quoted.exec(lines[line] as string)?.index ?? 0) + 2
  return { file: displayPath(file, root), line: line + 1, column }
}
