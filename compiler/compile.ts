/** Compiles an application in memory: calls the phases in order. */
import type { Rehearsal, Rehearsals } from '../runtime/artifact/rehearsal.ts'
import { reportPlugAndPlay } from './packages/plug-n-play.ts'
import { byPlace } from './report/order.ts'
import type { SettingsTable } from '../runtime/artifact/settings.ts'
import { createUnitFactory } from '../runtime/artifact/units.ts'
import { NotKept } from './1-scan/kept/not-kept.ts'
import type { ParsedFiles } from './1-scan/parse.ts'
import { RememberingRunner } from './1-scan/sandbox/remembering.ts'
import type { KnownAnswers } from './1-scan/sandbox/remembering.ts'
import { SliceRunner } from './1-scan/sandbox/runner.ts'
import { buildTree } from './2-tree/index.ts'
import { resolve } from './3-resolve/index.ts'
import { finderOf } from './3-resolve/known-routes.ts'
import type { LiveOptions } from './3-resolve/live-options.ts'
import { reportPackages } from './packages/index.ts'
import type { GraphEntry, PackageFacts } from './packages/index.ts'
import { loadLiveOptions } from './3-resolve/live-options.ts'
import { reportBroken } from './emit-driver/broken-functions.ts'
import { bundle, completeRoutes } from './5-bundle/index.ts'
import type { BundledOutput } from './5-bundle/index.ts'
import { TryOut } from './5-bundle/try-out.ts'
import { createManifest } from './5-bundle/manifest.ts'
import type { Manifest } from './5-bundle/manifest.ts'
import { bundleUserModules } from './5-bundle/user-modules.ts'
import type { Booted } from './booted/index.ts'
import { boot, compareOptions, complete } from './booted/index.ts'
import { livePrint } from './cache/live.ts'
import { closureOf } from './cache/closure.ts'
import type { ClosureStore } from './cache/closures.ts'
import type { UnitStore } from './cache/units.ts'
import { reportWrongVersions } from './versions/check.ts'
import { compare } from './booted/compare.ts'
import { isOpen, keyOf, problemsOfParts } from './report/dynamic.ts'
import { warning } from './report/errors.ts'
import { emitAll, freshOf } from './emit-driver/index.ts'
import { meaningOf } from './lines/index.ts'
import { compilerVersions } from './versions/installed.ts'
import type {
  SourceGraph,
  ContextTree,
  Diagnostic,
  Report,
  ResolvedRoute,
  Recalled,
  ResolvedApp,
  ResolvedOptions,
} from './model/index.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { displayPath } from './util/paths.ts'
import { SourceFiles } from './util/source-files.ts'

/** What a build is doing. */
export type Phase = 'scan' | 'boot' | 'resolve' | 'emit' | 'bundle' | 'join' | 'write' | 'start'

/** Called when a phase begins, and when something in it takes long: then with the name of that. */
export type OnPhase = (phase: Phase, slow?: string) => void

/** Either problems, or an artifact that is ready to be written. */
export interface CompileResult {
  readonly options: ResolvedOptions
  /** Causes first, then in the order of their places; when there is one, there is no artifact. */
  readonly diagnostics: readonly Diagnostic[]
  /** What is left to the running application because the user allows it. In the order of their places. */
  readonly dynamic: readonly Diagnostic[]
  /** What does not fail the build. In the order of their places. */
  readonly warnings: readonly Diagnostic[]
  /** What the application left open when it was booted, by name; `undefined` when it was not. */
  readonly leftOpen: Readonly<Record<string, number>> | undefined
  readonly artifact: CompiledArtifact | undefined
}

export interface CompiledArtifact {
  /** What the source tells; `undefined` when only the booted application did. */
  readonly graph: SourceGraph | undefined
  /** Whether the source was scanned: nothing but values may have changed that are written in it. */
  readonly isScanned: boolean
  readonly tree: ContextTree
  readonly app: ResolvedApp
  readonly manifest: Manifest
  readonly output: BundledOutput
  /** What functions of routes were compiled from. */
  readonly routes: readonly ResolvedRoute[]
  readonly settings: SettingsTable
  /** How many functions were compiled, and how many were taken from an earlier build. */
  readonly compiled: number
  readonly reused: number
}

/** What an earlier build has scanned, and made of routes. */
export interface RecalledScan extends Recalled {
  readonly graph: SourceGraph
}

/** What a build remembers of earlier ones, and what later ones need to know of it. */
export interface Memory {
  /** Told what is read. */
  readonly files: SourceFiles
  /** @param live says what the functions in the options are, if that can be said */
  units?(live: string | undefined): UnitStore
  /** Files as the last build in this process has parsed them. */
  readonly trees?: ParsedFiles | undefined
  /** What a scan would find, when no scan is needed for that. */
  readonly scanned?: (() => Promise<RecalledScan | undefined>) | undefined
  /** What slices have computed. */
  readonly slices?: KnownAnswers
  /** What the modules consist of that the options take functions from. */
  readonly closures?: Pick<ClosureStore, 'of'>
  /** What the packages are that an application imports. */
  packages?(entries: readonly GraphEntry[]): Promise<PackageFacts>
}

/**
 * Compiles in memory: reads the application's files, runs none of them, writes nothing.
 *
 * @param memory for incremental builds
 */
export async function compile(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
  memory?: Memory,
): Promise<CompileResult> {
  const options = resolveOptions(buildOptions)
  try {
    return await tryingOut(options, onPhase, memory)
  } catch (error) {
    if (!(error instanceof NotKept) || memory === undefined) throw error
    return await tryingOut(options, onPhase, { ...memory, scanned: undefined })
  }
}

async function tryingOut(
  options: ResolvedOptions,
  onPhase: OnPhase,
  memory: Memory | undefined,
): Promise<CompileResult> {
  const tryOut = new TryOut()
  try {
    return await compileWith(tryOut, options, onPhase, memory)
  } finally {
    tryOut.end()
  }
}

async function compileWith(
  tryOut: TryOut,
  options: ResolvedOptions,
  onPhase: OnPhase,
  memory: Memory | undefined,
): Promise<CompileResult> {
  const line = meaningOf(options.line, options.serializers.as)
  const files = memory?.files ?? new SourceFiles()
  const problems = new Map<string, Diagnostic>()
  const warnings = new Map<string, Diagnostic>()
  const report: Report = (problem) =>
    void (problem.isWarning ? warnings : problems).set(keyOf(problem), problem)
  const warningsLeft = (): readonly Diagnostic[] =>
    [...warnings]
      .filter(([key]) => !problems.has(key))
      .map(([, warning]) => warning)
      .sort(byPlace)

  const problemsOnly = (told: Iterable<Diagnostic> = problems.values()): CompileResult => ({
    options,
    diagnostics: [...told].sort(byPlace),
    dynamic: [],
    warnings: warningsLeft(),
    leftOpen: undefined,
    artifact: undefined,
  })

  onPhase('scan')
  reportWrongVersions(options.root, report)
  reportPlugAndPlay(options.root, files, report)
  if (problems.size > 0) return problemsOnly()
  const runner = new SliceRunner(options.root)
  const slices = {
    runner: memory?.slices ? new RememberingRunner(runner, memory.slices) : runner,
    onSlow: (name: string) => onPhase('scan', name),
  }
  const known = await memory?.scanned?.()
  // Where nothing but values has changed, few schemas are compiled: that takes less time than what tries them out takes to start.
  if (known !== undefined) tryOut.start()
  const scanNow = async (): Promise<SourceGraph | undefined> => {
    const { scan } = await import('./1-scan/index.ts')
    return scan(options, report, files, slices, memory?.trees)
  }
  const graph = known?.graph ?? (await scanNow())
  const unread = [...problems.values()].filter(({ code }) => code === 'AOT_SYNTAX_ERROR')
  // What such a file declares is missing elsewhere: most of the rest says that again.
  if (unread.length > 0) return problemsOnly(unread)
  let tree = graph && buildTree(graph, report, line)
  if (graph !== undefined) await reportPackages(graph, options, line, report, memory?.packages)
  const scanned = tree
  let booted: Booted | undefined
  if (options.trace || (options.verify && tree !== undefined)) {
    onPhase('boot')
    booted = await boot(options, report)
    if (booted === undefined) return problemsOnly()
    if (options.trace) {
      const completed = complete(tree, [...problems.values()], booted, options)
      problems.clear()
      completed.problems.forEach(report)
      tree = completed.tree
    }
  }
  if (tree === undefined) return problemsOnly()
  onPhase('resolve')
  const live = await loadLiveOptions(tree.options, report, line)
  // What functions are is in no graph.
  const find = known && live.origins.size === 0 ? finderOf(tree, known) : undefined
  const app = resolve(tree, live, report, line, find)
  if (options.verify && booted && scanned) verify(scanned, booted, live, report)
  // Where files stay parsed for the next build, their trees stay whole.
  if (memory?.trees === undefined) graph?.letGo()
  onPhase('emit')
  const store = memory?.units?.(
    await livePrint(tree.options.ajv, memory?.closures ?? { of: closureOf }),
  )
  reportUnlikeSerializers(app, options, report)
  // What is compiled is tried out by a process that starts meanwhile.
  const emission = await emitAll(app, tree, live, report, store, line, () => tryOut.start())
  const found = [...problems.values()].sort(byPlace)
  if (!found.every((problem) => options.allowDynamic && isOpen(problem))) return problemsOnly()
  onPhase('bundle')
  const userModules = await bundleUserModules(emission.packed)
  const tried = tryOut.run(freshOf(emission), app.units, userModules)
  // It is waited for below, unless something else is thrown before.
  tried.catch(() => undefined)
  const ofParts = new Set([...problemsOfParts(tree), ...emission.incomplete.values()].map(keyOf))
  const open = found.filter((problem) => !ofParts.has(keyOf(problem)))
  const start = graph?.start ?? { kind: 'itself' }
  const compilers = compilerVersions()
  const told = { open, warnings: warningsLeft(), start, compilers, options }
  const { manifest, text } = createManifest({ tree, app, emission, ...told })
  const rehearsals = rehearsalsFor(live, emission.rehearsals)
  const output = bundle(emission, rehearsals, text, app, options, files)
  reportBroken(await tried, app, report)
  if (problems.size > found.length) return problemsOnly()
  const { packed, reused } = emission
  const counts = { compiled: packed.length - reused.size, reused: reused.size }
  const routes = completeRoutes(app, output.digests)
  const { settings } = app
  const isScanned = known === undefined
  const artifact = { graph, isScanned, tree, app, manifest, output, routes, settings, ...counts }
  const leftOpen = booted?.recording.handles
  return {
    options,
    diagnostics: [],
    dynamic: found,
    warnings: warningsLeft(),
    leftOpen,
    artifact,
  }
}

/** Serializers that Fastify would not take. */
function reportUnlikeSerializers(
  { units }: ResolvedApp,
  { serializers: { unlike }, entry, root }: ResolvedOptions,
  report: Report,
): void {
  const isNeeded = [...units.values()].some(({ kind }) => kind === 'serializer')
  if (unlike === undefined || !isNeeded) return
  const at = { file: displayPath(entry, root), line: 0, column: 0 }
  report(warning('AOT_SERIALIZERS_UNLIKE', at, unlike))
}

function rehearsalsFor(
  { validator }: LiveOptions,
  list: readonly Rehearsal[],
): Rehearsals | undefined {
  if (list.length === 0) return undefined
  const [options = ''] = createUnitFactory('validator', {}, validator).settings()
  return { options, list }
}

/** Reports in what the application differs from its source. */
function verify(scanned: ContextTree, booted: Booted, live: LiveOptions, report: Report): void {
  // What is wrong with a tree itself is reported elsewhere.
  const ignore = (): void => undefined
  // Functions among the options cannot be told: those of the source stand for them.
  const told = { ...booted.tree, options: scanned.options }
  compareOptions(scanned.options, booted, report)
  compare(
    { tree: scanned, app: resolve(scanned, live, ignore) },
    { tree: told, app: resolve(told, live, ignore) },
    booted.ofPackages,
    report,
  )
}
