/** Finds what an application uses and its platform doesn't support. */
import path from 'node:path'
import { workerEvents } from '../../runtime/deployed/worker-events.ts'
import type { ApplicationStart, Diagnostic, SourceLocation } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { byPlace } from '../report/order.ts'
import { isNodeModule } from '../util/module-kind.ts'
import { displayPath, isPackageFile, packageNameOf } from '../util/paths.ts'
import type { Importers } from './bundle/importers.ts'
import { isRuntimeFile } from './bundle/find-module.ts'
import { locateImport } from './mentions.ts'
import { usesListedFolders } from './targets/listed-folders.ts'
import type { Platform } from './targets/platform.ts'
import { builtinOf } from './virtual.ts'

export interface UsedFeatures {
  readonly target: string
  readonly platform: Platform
  readonly start: ApplicationStart
  readonly entry: string
  readonly handlers: readonly string[]
  readonly importers: Importers
  /** Names of modules that aren't bundled. */
  readonly externals: ReadonlySet<string>
  /** Modules of the application that are started as threads or processes. */
  readonly programs: Iterable<string>
  readonly root: string
}

export interface Unsupported {
  readonly problems: readonly Diagnostic[]
  /** Packages may work without the modules they import. */
  readonly warnings: readonly Diagnostic[]
}

/** Packages that are known to work without modules they import. */
const worksWithout = /[/\\]node_modules[/\\](?:pino|thread-stream|sonic-boom|light-my-request)[/\\]/

/** Packages that take over the connection of a request. */
const connectionPackages: ReadonlySet<string> = new Set([
  '@fastify/websocket',
  'fastify-socket.io',
  'fastify-websocket',
  'socket.io',
])

/** Reports unsupported features with the chain of imports that leads to them. */
export function findUnsupported(used: UsedFeatures): Unsupported {
  const { platform, importers, root, target } = used
  const { schemes = [], unsupportedModules = [], unsupportedPackages = {} } = platform
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const [name, from] of importers) {
    const builtin = builtinOf(name) ?? (isNodeModule(name) ? name.replace(/^node:/, '') : undefined)
    const isSupported =
      builtin === undefined
        ? platform.hasProcesses || !isExternalPackage(name)
        : !unsupportedModules.includes(builtin.replace(/\/.*/, '')) &&
          !unsupportedModules.includes(builtin)
    if (isSupported) continue
    for (const importer of [...from].sort()) {
      if (isRuntimeFile(importer) || worksWithout.test(importer)) continue
      reportImport(name, builtin, importer)
    }
  }
  if (!platform.hasProcesses) {
    for (const program of used.programs) {
      const file = displayPath(program, root)
      problems.push(diagnostic('AOT_TARGET_PROCESS', { file, line: 0, column: 0 }, file, target))
    }
  }
  if (!platform.hasConnections(used.start)) {
    const instead = platform.hasConnections({ kind: 'itself' }) ? 'listen' : 'node'
    warnAboutPackages(connectionPackages, (at, name, chain) =>
      diagnostic('AOT_TARGET_CONNECTIONS', at, name, target, chain, instead),
    )
  }
  warnAboutPackages(new Set(Object.keys(unsupportedPackages)), (at, name, chain) => {
    const missing = unsupportedPackages[name] ?? ''
    return diagnostic('AOT_TARGET_LACKS', at, missing, target, chain, 'package')
  })
  reportHandlers()
  return { problems, warnings }

  function reportImport(name: string, builtin: string | undefined, importer: string): void {
    const files = importChain(importer, importers)
    const { at, chain } = describe(files, builtin ?? name)
    if (builtin === undefined) {
      problems.push(diagnostic('AOT_TARGET_PACKAGE', at, name, target, chain))
    } else if (files.some(usesListedFolders)) {
      problems.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'finder'))
    } else if (isPackageFile(importer)) {
      warnings.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'package'))
    } else {
      problems.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, 'application'))
    }
  }

  /** Reports exports of the entry that the platform doesn't call. */
  function reportHandlers(): void {
    const { start, handlers } = used
    const file = displayPath(used.entry, root)
    const at = { file, line: 0, column: 0 }
    const isServed = start.kind !== 'itself' || !start.exportsFetch
    if (!isServed && !platform.calls.some((name) => handlers.includes(name)))
      problems.push(diagnostic('AOT_TARGET_FETCH', at, file, target))
    const ignored = handlers.filter(
      (name) => workerEvents.includes(name) && !platform.calls.includes(name),
    )
    if (ignored.length > 0)
      warnings.push(diagnostic('AOT_TARGET_HANDLERS', at, file, ignored, target))
  }

  /** Warns about packages, once for each chain of imports. */
  function warnAboutPackages(
    packages: ReadonlySet<string>,
    warningOf: (at: SourceLocation, name: string, chain: string) => Diagnostic,
  ): void {
    const found = new Map<string, Diagnostic>()
    for (const [file, from] of importers) {
      const name = packageOf(file)
      if (!packages.has(name)) continue
      for (const importer of [...from].sort()) {
        if (packages.has(packageOf(importer))) continue
        const { at, chain } = describe(importChain(importer, importers), name)
        found.set(chain, warningOf(at, name, chain))
      }
    }
    warnings.push(...[...found.values()].sort(byPlace))
  }

  function packageOf(file: string): string {
    const isOfApplication = path.isAbsolute(file) && !isPackageFile(file)
    return isOfApplication ? '' : shownName(file, root)
  }

  /** Returns the chain as text, and the import in the application that begins it. */
  function describe(files: readonly string[], last: string): { at: SourceLocation; chain: string } {
    const names = [...files.map((file) => shownName(file, root)), last]
    const chain = names.filter((one, i) => one !== names[i - 1]).join(' > ')
    const [file = root, next] = files
    const isPackage = next !== undefined && isPackageFile(next)
    const imported = isPackage ? shownName(next, root) : last
    return { at: locateImport(file, imported, root), chain }
  }

  /** Checks for copied packages: the platform itself provides the other modules that aren't bundled. */
  function isExternalPackage(name: string): boolean {
    const isOfPlatform = schemes.some((scheme) => `${name}:`.startsWith(scheme))
    return used.externals.has(name) && !isOfPlatform
  }
}

/** Returns the shortest chain of imports from the application to a file, as files. */
function importChain(file: string, importers: Importers): readonly string[] {
  const seen = new Set([file])
  let chains: (readonly string[])[] = [[file]]
  for (;;) {
    const complete = chains.find(([first = '']) => !isPackageFile(first) && path.isAbsolute(first))
    if (complete !== undefined) return complete
    const next: (readonly string[])[] = []
    for (const chain of chains) {
      for (const importer of importers.get(chain[0] ?? '') ?? []) {
        if (seen.has(importer)) continue
        seen.add(importer)
        next.push([importer, ...chain])
      }
    }
    if (next.length === 0) return chains[0] ?? [file]
    chains = next
  }
}

/** Returns the name of a file's package, or the file's path in the application. */
function shownName(file: string, root: string): string {
  return packageNameOf(file) ?? displayPath(file, root)
}
