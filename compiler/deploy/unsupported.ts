/** Finds what an application uses and its platform doesn't support. */
import path from 'node:path'
import { workerEvents } from '../../runtime/deployed/worker-events.ts'
import type { CompiledArtifact } from '../result.ts'
import type { Diagnostic, ResolvedOptions, SourceLocation } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { byCauseAndPlace } from '../report/order.ts'
import { locateImport } from '../util/mentions.ts'
import { isNodeModule } from '../util/module-kind.ts'
import { displayPath, isPackageFile, packageNameOf } from '../util/paths.ts'
import type { BundledApplication } from './bundle-application.ts'
import type { Importers } from './bundle/observe.ts'
import { isRuntimeFile } from './bundle/find-module.ts'
import { wholeFile } from './deploy-error.ts'
import { platforms, type Target } from './targets/index.ts'
import { usesListedFolders } from './targets/listed-folders.ts'
import { startOf } from './virtual-modules.ts'
import { substituted } from './virtual.ts'

/** Packages that are known to work without modules they import. */
const worksWithout = /[/\\]node_modules[/\\](?:pino|thread-stream|sonic-boom|light-my-request)[/\\]/

/** Packages that take over the connection of a request. */
const connectionPackages: readonly string[] = [
  '@fastify/websocket',
  'fastify-socket.io',
  'fastify-websocket',
  'socket.io',
]

/** Packages among them that speak WebSocket over the socket of the server's event `upgrade`. */
const upgradePackages: readonly string[] = ['@fastify/websocket', 'fastify-websocket']

/** Returns problems and warnings, with the chains of imports that lead to them. Imports in packages are mostly warnings: packages may work without the modules they import. */
export function findUnsupported(
  target: Target,
  artifact: CompiledArtifact,
  { bundled: { importers, externals }, assets }: BundledApplication,
  { entry, root }: ResolvedOptions,
): { readonly problems: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] } {
  const platform = platforms[target]
  const { schemes = [], unsupportedModules = [], unsupportedPackages = {} } = platform
  const start = startOf(artifact)
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const [name, from] of importers) {
    const builtin = builtinOf(name)
    const isSupported =
      builtin === undefined
        ? platform.hasProcesses || !isExternalPackage(name)
        : !unsupportedModules.includes(builtin.replace(/\/.*/, '')) &&
          !unsupportedModules.includes(builtin)
    if (isSupported) continue
    for (const importer of [...from].sort()) {
      if (!isRuntimeFile(importer) && !worksWithout.test(importer))
        reportImport(name, builtin, importer)
    }
  }
  for (const program of platform.hasProcesses ? [] : assets.programs) {
    const file = displayPath(program, root)
    problems.push(diagnostic('AOT_TARGET_PROCESS', wholeFile(program, root), file, target))
  }
  if (!platform.hasConnections(start)) {
    const instead = platform.hasConnections({ kind: 'itself' }) ? 'listen' : 'node'
    const packages = connectionPackages.filter(
      (name) => !platform.hasWebSockets || !upgradePackages.includes(name),
    )
    warnAboutPackages(packages, (at, name, chain) =>
      diagnostic('AOT_TARGET_CONNECTIONS', at, name, target, chain, instead),
    )
  }
  warnAboutPackages(Object.keys(unsupportedPackages), (at, name, chain) => {
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
      return
    }
    const owner = isPackageFile(importer) ? 'package' : 'application'
    const by = files.some(usesListedFolders) ? 'finder' : owner
    const list = by === 'package' ? warnings : problems
    list.push(diagnostic('AOT_TARGET_LACKS', at, builtin, target, chain, by))
  }

  /** Reports exports of the entry that the platform doesn't call. */
  function reportHandlers(): void {
    const handlers = artifact.graph?.handlers ?? []
    const at = wholeFile(entry, root)
    const isServed = start.kind !== 'itself' || !start.exportsFetch
    if (!isServed && !platform.calls.some((name) => handlers.includes(name)))
      problems.push(diagnostic('AOT_TARGET_FETCH', at, at.file, target))
    const ignored = handlers.filter(
      (name) => workerEvents.includes(name) && !platform.calls.includes(name),
    )
    if (ignored.length > 0)
      warnings.push(diagnostic('AOT_TARGET_HANDLERS', at, at.file, ignored, target))
  }

  /** Warns about packages, once for each chain of imports. */
  function warnAboutPackages(
    packages: readonly string[],
    warningOf: (at: SourceLocation, name: string, chain: string) => Diagnostic,
  ): void {
    const found = new Map<string, Diagnostic>()
    for (const [file, from] of importers) {
      const name = packageOf(file)
      if (!packages.includes(name)) continue
      for (const importer of [...from].sort()) {
        if (packages.includes(packageOf(importer))) continue
        const { at, chain } = describe(importChain(importer, importers), name)
        found.set(chain, warningOf(at, name, chain))
      }
    }
    warnings.push(...[...found.values()].sort(byCauseAndPlace))
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
    return externals.has(name) && !schemes.some((scheme) => `${name}:`.startsWith(scheme))
  }
}

/** Returns the module of Node that is imported, perhaps through a virtual module. */
function builtinOf(id: string): string | undefined {
  const [kind, name = id.replace(/^node:/, '')] = substituted(id) ?? []
  const isBuiltin = kind === undefined ? isNodeModule(id) : kind === 'builtin' || kind === 'empty'
  return isBuiltin ? name : undefined
}

/** Returns the files of the shortest chain of imports from the application to a file, or of the longest chain if none begins there. */
function importChain(file: string, importers: Importers): readonly string[] {
  const chains = new Map([[file, [file]]])
  let longest = [file]
  for (const [first, chain] of chains) {
    if (!isPackageFile(first) && path.isAbsolute(first)) return chain
    if (chain.length > longest.length) longest = chain
    for (const importer of importers.get(first) ?? [])
      if (!chains.has(importer)) chains.set(importer, [importer, ...chain])
  }
  return longest
}

/** Returns the name of a file's package, or the file's path in the application. */
function shownName(file: string, root: string): string {
  return packageNameOf(file) ?? displayPath(file, root)
}
