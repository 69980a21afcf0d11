/** Finds what an application declares: by scanning its source, and by booting it. */
import type { ParsedFiles } from './util/source/parse.ts'
import { CachedProcess } from './sandbox/cached-process.ts'
import { SandboxProcess } from './sandbox/sandbox-process.ts'
import { bootFailure, Booter, stopOf, unconfined } from './booted/boot.ts'
import { complete, isResolvable } from './booted/index.ts'
import { completeHooks, mayHaveOtherHooks } from './booted/hooks.ts'
import { isFailure, type SandboxedBoot } from './booted/in-sandbox.ts'
import { addLacking, lackOf, type ResolvedTree } from './booted/lacking.ts'
import type { KnownStart } from './booted/messages.ts'
import { toTree, type Booted } from './booted/recorded.ts'
import type { RecordedValue, Recording } from './booted/recording.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import type {
  ContextTree,
  Diagnostic,
  OnPhase,
  ResolvedOptions,
  SourceGraph,
} from './model/index.ts'
import { reportPackages } from './packages/index.ts'
import { warning } from './report/errors.ts'
import { isMissingModule } from './report/faults.ts'
import type { Problems } from './report/problems.ts'
import { followFastify } from './servers/detect.ts'
import type { TargetProfile } from './servers/index.ts'
import { packageNameIn } from './util/paths.ts'
import { isServerName } from './util/server-name.ts'
import type { SourceFiles } from './util/source-files.ts'

export interface Declared {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree
  /** The tree by the source alone. */
  readonly scanned: ContextTree | undefined
  readonly booted: Booted | undefined
  /** The recorded document of @fastify/swagger, as far as it doesn't depend on the environment. */
  readonly document?: RecordedValue | undefined
  /** Why the boot in the sandbox stopped. */
  readonly stop?: Diagnostic | undefined
  /** The boot of an application that the scan reads fully: compiling needn't wait for it. */
  readonly later?: Promise<LaterBoot>
}

export interface LaterBoot extends Pick<Declared, 'document' | 'stop'> {
  readonly booted?: Booted
  /** The part that doesn't depend on the environment; `undefined` if nothing needs it. */
  readonly certain?: Booted | undefined
  /** Set if the boot stopped that would have shown what plugins declare, or for want of a module. */
  readonly warning?: Diagnostic | undefined
}

/** The parts of a compilation that the search for declarations uses. */
export interface Search {
  readonly options: ResolvedOptions
  readonly profile: TargetProfile
  readonly files: SourceFiles
  readonly caches: BuildCaches | undefined
  readonly trees: ParsedFiles | undefined
  /** `undefined` if the application isn't booted in the sandbox. */
  readonly beside: SandboxedBoot | undefined
  readonly deploys: boolean
  readonly problems: Problems
  readonly onPhase: OnPhase
}

/** Scans the source. After a syntax error, that is the only problem. */
export async function scanSource(search: Search): Promise<SourceGraph | undefined> {
  const { options, files, problems, onPhase, caches, trees, deploys } = search
  const { report } = problems
  onPhase('scan')
  const process = new SandboxProcess(options.root)
  const sandbox = {
    process: caches === undefined ? process : new CachedProcess(process, caches.evaluations),
    onSlow: (name: string) => onPhase('scan', name),
  }
  const { scan } = await import('./1-scan/index.ts')
  const graph = await scan(options, report, { files, sandbox, trees, findsLiterals: deploys })
  // A module that throws may start the application further down.
  const isLoaded = problems.errors().every(({ code }) => code !== 'AOT_MODULE_THROWS')
  if (isLoaded && graph?.unstartedAt !== undefined)
    report(warning('AOT_ENTRY_NOT_STARTED', graph.unstartedAt, graph.unstartedAt.file))
  const syntaxErrors = problems.errors().filter(({ code }) => code === 'AOT_SYNTAX_ERROR')
  // Most other problems only follow from the missing declarations of such a file.
  if (syntaxErrors.length > 0) problems.replaceErrors(syntaxErrors)
  return graph
}

interface Scanned {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree | undefined
}

/** Completes the scan by the boot that the options ask for. `undefined` if that isn't enough to continue. */
export async function completeScan(
  scanned: Scanned,
  search: Search,
): Promise<Declared | undefined> {
  const { options, beside } = search
  const { graph, tree } = scanned
  if (graph !== undefined) await reportImports(graph, search)
  const known = { start: graph?.start, listens: graph?.names.has('listen') ?? true }
  if (beside !== undefined) return bootBeside(search, scanned, beside, known)
  if (options.trace || (options.verify && tree !== undefined))
    return bootOutside(search, scanned, known)
  return tree && { graph, tree, scanned: tree, booted: undefined }
}

/** Warns about packages that the application imports. */
async function reportImports(
  graph: SourceGraph,
  { options, profile, problems, caches, deploys }: Search,
): Promise<void> {
  // Only Fastify's own factory generates code at runtime.
  const served = options.factory === 'fastify' ? profile : { ...profile, generatesCode: false }
  const packages = deploys ? graph.packages : followFastify(graph.packages, options)
  await reportPackages({ ...graph, packages }, options, served, problems.report, caches?.packages)
}

/** Boots with the outside world, for `--trace` and `--verify`. */
async function bootOutside(
  { options, problems, onPhase }: Search,
  { graph, tree }: Scanned,
  known: KnownStart,
): Promise<Declared | undefined> {
  onPhase('boot')
  const booter = new Booter(options)
  booter.giveStart(known)
  const { result, output } = await booter.boot(unconfined, process.env)
  booter.end()
  if (isFailure(result)) {
    problems.report(bootFailure(result, output, options))
    return undefined
  }
  const booted = toTree(result, options)
  const declared = { graph, scanned: tree, booted, document: result.document }
  if (!options.trace) return tree && { ...declared, tree }
  const completed = complete(tree, problems.all(), booted, options, true)
  problems.replaceAll(completed.problems)
  return { ...declared, tree: completeHooks(completed.tree, booted, true) }
}

/** Boots in the sandbox: at once if the scan lacks something, which the boot completes. */
async function bootBeside(
  search: Search,
  { graph, tree }: Scanned,
  beside: SandboxedBoot,
  known: KnownStart,
): Promise<Declared | undefined> {
  const { options, problems, onPhase } = search
  const scanned = tree && { graph, tree, scanned: tree, booted: undefined }
  const isOpen = problems.errors().some(isResolvable) || scanned === undefined
  if (!isOpen && !problems.warnings().some(isResolvable)) {
    if (options.boot === 'whenNeeded') return scanned
    const later = bootLater(scanned, beside, known, options)
    // Awaited once the functions are compiled, unless that fails.
    later.catch(() => undefined)
    return { ...scanned, later }
  }
  onPhase('boot')
  const first = await beside.run(known)
  const { result, output } = isFailure(first.result) ? first : await beside.agreedOn(first.result)
  if (isFailure(result)) {
    const stop = stopOf(result, output, options)
    // The scan reports modules that the source imports, but no others that packages require.
    const isReported =
      isMissingModule(result.reason) &&
      problems
        .errors()
        .some(({ code, message }) => code === 'AOT_IMPORT_NOT_FOUND' || isMissingModule(message))
    if (isOpen && !isReported) problems.report(stop)
    return scanned && { ...scanned, stop }
  }
  const booted = toTree(result, options)
  const completed = complete(tree, problems.all(), booted, options, false)
  problems.replaceAll(completed.problems)
  const withHooks = completeHooks(completed.tree, booted, false)
  return { graph, tree: withHooks, scanned: tree, booted, document: result.document }
}

async function bootLater(
  { graph, tree }: Declared,
  beside: SandboxedBoot,
  known: KnownStart,
  options: ResolvedOptions,
): Promise<LaterBoot> {
  const { result, output } = await beside.run(known)
  if (isFailure(result)) {
    const plugins = unseenPlugins(graph)
    const stop = stopOf(result, output, options, plugins)
    // A module that is missing in the sandbox is missing when the application starts.
    const isReported = plugins.length > 0 || isMissingModule(result.reason)
    return { stop, warning: isReported ? stop : undefined }
  }
  const booted = toTree(result, options)
  if (result.document === undefined && !mayHaveOtherHooks(tree)) return { booted }
  const again = (await beside.agreedOn(result)).result
  if (isFailure(again)) return { booted, certain: undefined, document: undefined }
  return { booted, certain: toTree(again, options), document: again.document }
}

/** Returns packages whose plugins may declare routes with schemas. Fastify's own that do are followed. */
function unseenPlugins(graph: SourceGraph | undefined): readonly string[] {
  const unseen = graph?.plugins.filter(
    ({ specifier, isFollowed }) => !isFollowed && !specifier.startsWith('@fastify/'),
  )
  return [...new Set(unseen?.map(({ specifier }) => packageNameIn(specifier)))].sort()
}

/** Adds what the booted application asks for and the tree lacks. Returns the same tree if that's nothing. */
export async function addBooted(
  resolved: ResolvedTree,
  booted: Booted | undefined,
  { options, profile, problems, beside }: Search,
): Promise<ResolvedTree> {
  if (booted === undefined || options.verify) return resolved
  const lacks = await lackOf(resolved, booted, profile)
  if (lacks.length === 0) return resolved
  const { recording } = booted
  const common = beside === undefined ? recording : (await beside.agreedOn(recording)).result
  // What differs between two boots can't be compiled.
  if (isFailure(common)) return resolved
  const certain = toTree(common, options)
  const lacking = await lackOf(resolved, certain, profile)
  return addLacking(resolved, certain, lacking, profile, problems.report)
}

/** The names that hooks may have in rules. */
export function hookNamesOf({
  graph,
  booted,
}: Pick<Declared, 'graph' | 'booted'>): readonly string[] | undefined {
  // A server adds no hooks, and it may be missing where an artifact is checked.
  const plugins = graph?.packages.filter(({ specifier }) => !isServerName(specifier)) ?? []
  return (
    graph && [
      ...graph.hookNames,
      ...plugins.map(({ specifier }) => packageNameIn(specifier)),
      ...Object.keys(booted?.recording.decorators ?? {}).map((name) => `app.${name}`),
    ]
  )
}

/** Adds the modules that only the boot knows, and those that packages load by names which they compute. */
export function withLoaded(
  graph: SourceGraph,
  { files: loaded, namedFiles }: Pick<Recording, 'files' | 'namedFiles'>,
): SourceGraph {
  const { files, compiled, loadedByName } = graph
  const others = loaded.filter((file) => !files.has(file) && !compiled.has(file))
  return {
    ...graph,
    loadedByName: [...new Set([...loadedByName, ...namedFiles, ...others])].sort(),
  }
}
