/** Finds what an application declares: by scanning its source, and by booting it. */
import type { ParsedFiles } from './1-scan/parse.ts'
import { CachedProcess } from './1-scan/sandbox/cached-process.ts'
import { SandboxProcess } from './1-scan/sandbox/sandbox-process.ts'
import { buildTree } from './2-tree/index.ts'
import { bootFailure, startBoot, stopOf, unconfined } from './booted/boot.ts'
import { complete, isResolvable } from './booted/index.ts'
import { completeHooks, mayHaveOtherHooks } from './booted/hooks.ts'
import { isFailure, SandboxedBoot } from './booted/in-sandbox.ts'
import { addLacking, lackOf, type ResolvedTree } from './booted/lacking.ts'
import type { KnownStart } from './booted/messages.ts'
import { toTree, type Booted } from './booted/recorded.ts'
import type { RecordedValue } from './booted/recording.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import type { OnPhase } from './compile.ts'
import type { ContextTree, Diagnostic, ResolvedOptions, SourceGraph } from './model/index.ts'
import { reportPackages } from './packages/index.ts'
import { reportPlugAndPlay } from './packages/plug-n-play.ts'
import { warning } from './report/errors.ts'
import { isMissingModule } from './report/faults.ts'
import type { Problems } from './report/problems.ts'
import { followFastify } from './servers/detect.ts'
import type { TargetProfile } from './servers/index.ts'
import type { SourceFiles } from './util/source-files.ts'
import { reportWrongVersions } from './packages/compiler-versions.ts'

export interface Declared {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree
  /** The tree by the source alone. */
  readonly scanned: ContextTree | undefined
  readonly booted: Booted | undefined
  /** The recorded document of @fastify/swagger, as far as it doesn't depend on the environment. */
  readonly document?: RecordedValue | undefined
  /** Set if the application was booted beside the scan. */
  readonly beside: SandboxedBoot | undefined
  /** Why that boot stopped. */
  readonly stop?: Diagnostic | undefined
}

/** The parts of a compilation that the search for declarations uses. */
export interface Search {
  readonly options: ResolvedOptions
  readonly profile: TargetProfile
  readonly files: SourceFiles
  readonly caches: BuildCaches | undefined
  readonly trees: ParsedFiles | undefined
  readonly deploys: boolean
  readonly problems: Problems
  readonly onPhase: OnPhase
}

/** Scans the source, and boots the application as the options say. `undefined` if that isn't enough to continue. */
export async function findDeclarations(search: Search): Promise<Declared | undefined> {
  const { options, files, problems, caches } = search
  reportWrongVersions(options.root, problems.report)
  reportPlugAndPlay(options.root, files, problems.report)
  if (problems.size > 0) return undefined
  const { trace, verify, boot } = options
  const beside =
    boot === 'never' || trace || verify ? undefined : new SandboxedBoot(options, caches?.boots)
  if (boot === 'always') beside?.start()
  try {
    const scanned = await scanSource(search)
    if (scanned === undefined) return undefined
    const { graph, tree } = scanned
    const known = { start: graph?.start, listens: graph?.names.has('listen') ?? true }
    if (beside !== undefined) return await bootBeside(search, scanned, beside, known)
    if (!trace && (!verify || tree === undefined))
      return tree && { graph, tree, scanned: tree, booted: undefined, beside: undefined }
    return await bootOutside(search, scanned, known)
  } finally {
    beside?.cancel()
  }
}

interface Scanned {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree | undefined
}

async function scanSource(search: Search): Promise<Scanned | undefined> {
  const { options, profile, files, problems, onPhase, caches, trees, deploys } = search
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
  if (syntaxErrors.length > 0) {
    // Most other problems only follow from the missing declarations of such a file.
    problems.replaceErrors(syntaxErrors)
    return undefined
  }
  const tree = graph && buildTree(graph, report, profile)
  // Only Fastify's own factory generates code at runtime.
  const served = options.factory === 'fastify' ? profile : { ...profile, generatesCode: false }
  if (graph !== undefined) {
    const packages = deploys ? graph.packages : followFastify(graph.packages, options)
    await reportPackages({ ...graph, packages }, options, served, report, caches?.packages)
  }
  return { graph, tree }
}

/** Boots with the outside world, for `--trace` and `--verify`. */
async function bootOutside(
  { options, problems, onPhase }: Search,
  { graph, tree }: Scanned,
  known: KnownStart,
): Promise<Declared | undefined> {
  onPhase('boot')
  const boot = startBoot(options, unconfined, process.env)
  boot.giveStart(known)
  const { result, output } = await boot.end
  if (isFailure(result)) {
    problems.report(bootFailure(result, output, options))
    return undefined
  }
  const booted = toTree(result, options)
  const declared = { graph, scanned: tree, booted, beside: undefined, document: result.document }
  if (!options.trace) return tree && { ...declared, tree }
  const completed = complete(tree, problems.all(), booted, options, true)
  problems.replaceAll(completed.problems)
  return { ...declared, tree: completeHooks(completed.tree, booted, true) }
}

/** Completes a scan that lacks something by the sandboxed boot. */
async function bootBeside(
  { options, problems, onPhase }: Search,
  { graph, tree }: Scanned,
  beside: SandboxedBoot,
  known: KnownStart,
): Promise<Declared | undefined> {
  const scanned = tree && { graph, tree, scanned: tree, booted: undefined, beside }
  const isOpen = problems.errors().some(isResolvable) || tree === undefined
  const isComplete = !isOpen && !problems.warnings().some(isResolvable)
  if (options.boot === 'whenNeeded' && isComplete) return scanned
  onPhase('boot')
  const { result, output } = await beside.run(known)
  if (isFailure(result)) {
    const stop = stopOf(result, output, options)
    // A missing module is reported by the scan.
    if (isOpen && !isMissingModule(result.reason)) problems.report(stop)
    return scanned && { ...scanned, stop }
  }
  const isNeeded = !isComplete || result.document !== undefined || mayHaveOtherHooks(tree)
  const common = isNeeded ? await beside.agreedOn(result) : undefined
  const document = common?.document
  if (isComplete && tree) {
    const withHooks = common ? completeHooks(tree, toTree(common, options), false) : tree
    return {
      graph,
      tree: withHooks,
      scanned: tree,
      booted: toTree(result, options),
      beside,
      document,
    }
  }
  if (common === undefined) return scanned
  const booted = toTree(common, options)
  const completed = complete(tree, problems.all(), booted, options, false)
  problems.replaceAll(completed.problems)
  const withHooks = completeHooks(completed.tree, booted, false)
  return { graph, tree: withHooks, scanned: tree, booted, beside, document }
}

/** Adds what the booted application asks for and the tree lacks. */
export async function addBooted(
  resolved: ResolvedTree,
  { booted, beside }: Declared,
  { options, profile, problems }: Search,
): Promise<ResolvedTree> {
  if (booted === undefined || options.verify) return resolved
  const lacks = await lackOf(resolved, booted, profile)
  if (lacks.length === 0) return resolved
  const common = beside === undefined ? booted.recording : await beside.agreedOn(booted.recording)
  // What differs between two boots can't be compiled.
  if (common === undefined) return resolved
  const certain = toTree(common, options)
  const lacking = await lackOf(resolved, certain, profile)
  return addLacking(resolved, certain, lacking, profile, problems.report)
}
