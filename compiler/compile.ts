/** Compiles an application in memory: runs the phases in order. */
import type { ParsedFiles } from './1-scan/parse.ts'
import { CachedProcess } from './1-scan/sandbox/cached-process.ts'
import { SandboxProcess } from './1-scan/sandbox/sandbox-process.ts'
import { buildTree } from './2-tree/index.ts'
import { resolve } from './3-resolve/index.ts'
import type { FunctionOptions } from './3-resolve/function-options.ts'
import { loadFunctionOptions, reportConflicts } from './3-resolve/function-options.ts'
import { bundle, completeRoutes } from './5-bundle/index.ts'
import type { BundledOutput } from './5-bundle/index.ts'
import { createManifest } from './5-bundle/create-manifest.ts'
import type { Manifest } from './5-bundle/manifest.ts'
import { SmokeTest } from './5-bundle/smoke-test.ts'
import { bundleUserModules } from './5-bundle/user-modules.ts'
import { alignInstances } from './booted/align.ts'
import { compare } from './booted/compare.ts'
import type { Booted } from './booted/index.ts'
import { boot, compareOptions, complete } from './booted/index.ts'
import type { Recording } from './booted/recording.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import { createClosures } from './cache/closure.ts'
import { functionFingerprint } from './cache/function-fingerprint.ts'
import type { EmittedApp } from './emit-driver/index.ts'
import { emitAll, freshOf, reportBroken } from './emit-driver/index.ts'
import type { TargetProfile } from './target-profiles/index.ts'
import { profileOf } from './target-profiles/index.ts'
import type {
  ContextTree,
  Diagnostic,
  ResolvedApp,
  ResolvedOptions,
  ResolvedRoute,
  SourceGraph,
} from './model/index.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { instancesOf } from './report/context-path.ts'
import { reportPackages } from './packages/index.ts'
import { reportPlugAndPlay } from './packages/plug-n-play.ts'
import { isDynamic, problemsOfParts } from './report/dynamic.ts'
import { diagnostic, warning } from './report/errors.ts'
import { keyOf, Problems } from './report/problems.ts'
import { packageJsonIn } from './util/package-json.ts'
import { displayPath } from './util/paths.ts'
import { followFastify } from './server/index.ts'
import { SourceFiles } from './util/source-files.ts'
import { compilerVersions, reportWrongVersions } from './versions/index.ts'

/** The phases of a build and of a deployment. */
export type Phase = 'scan' | 'boot' | 'resolve' | 'emit' | 'bundle' | 'join' | 'write' | 'start'

/** Called when a phase begins, and with a name when something in it takes long. */
export type OnPhase = (phase: Phase, slow?: string) => void

/** Either problems, or an artifact that is ready to be written. */
export interface CompileResult {
  readonly options: ResolvedOptions
  /** Errors, root causes first, then in the order of their places. If there is one, there is no artifact. */
  readonly diagnostics: readonly Diagnostic[]
  /** Errors that `allowDynamic` permits: the running application decides about these parts. In the order of their places. */
  readonly dynamic: readonly Diagnostic[]
  /** In the order of their places. */
  readonly warnings: readonly Diagnostic[]
  /** Open handles of the booted application, counted by name; `undefined` if it wasn't booted. */
  readonly leftOpen: Readonly<Record<string, number>> | undefined
  readonly artifact: CompiledArtifact | undefined
}

export interface CompiledArtifact {
  /** `undefined` if everything was found by booting the application. */
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree
  readonly app: ResolvedApp
  readonly manifest: Manifest
  readonly output: BundledOutput
  /** The routes whose functions are all in the artifact. */
  readonly routes: readonly ResolvedRoute[]
  /** Number of functions compiled by this build, and number taken from the cache. */
  readonly compiled: number
  readonly reused: number
}

/** State that successive builds share. */
export interface SharedState {
  /** Records what the build reads. */
  readonly files?: SourceFiles
  /** Results of earlier builds. */
  readonly caches?: BuildCaches | undefined
  /** Syntax trees of the last build in this process. */
  readonly trees?: ParsedFiles | undefined
  /** Compiles for a deployment: finds the schemas in the source that it extracts, and expects nothing to be installed. */
  readonly deploys?: boolean
}

/** Compiles an application, without writing the artifact. Boots it only for `trace` and `verify`. */
export function compile(
  options: BuildOptions,
  onPhase: OnPhase = () => undefined,
  state?: SharedState,
): Promise<CompileResult> {
  return compileResolved(resolveOptions(options), onPhase, state)
}

export async function compileResolved(
  options: ResolvedOptions,
  onPhase: OnPhase,
  { caches, trees, files = caches?.files ?? new SourceFiles(), deploys = false }: SharedState = {},
): Promise<CompileResult> {
  const compilation: Compilation = {
    options,
    profile: profileOf(options.line, options.serializers.as),
    files,
    caches,
    trees,
    deploys,
    problems: new Problems(),
    smokeTest: new SmokeTest(),
    onPhase,
  }
  try {
    return await runPhases(compilation)
  } finally {
    compilation.smokeTest.end()
  }
}

interface Compilation extends Required<SharedState> {
  readonly options: ResolvedOptions
  readonly profile: TargetProfile
  readonly problems: Problems
  readonly smokeTest: SmokeTest
  readonly onPhase: OnPhase
}

async function runPhases(compilation: Compilation): Promise<CompileResult> {
  const { options, profile, problems, smokeTest, onPhase, caches } = compilation
  const declared = await findDeclarations(compilation)
  if (declared === undefined) return failureOf(compilation)
  const { graph, tree, scanned, booted } = declared
  onPhase('resolve')
  const functions: FunctionOptions[] = []
  for (const one of instancesOf(tree))
    functions.push(await loadFunctionOptions(one.options, problems.report))
  reportConflicts(functions, problems.report)
  const app = resolve(tree, functions, problems.report, profile)
  if (options.verify && booted && scanned) verify(scanned, booted, functions, profile, problems)
  // Without its options, the errors of compilers would mislead.
  if (problems.errors().some(({ code }) => code === 'AOT_OPTIONS_NOT_STATIC'))
    return failureOf(compilation)
  onPhase('emit')
  const closures = caches?.closures ?? createClosures()
  const store = caches?.units(await functionFingerprint(tree, closures))
  reportUnusableSerializers(app, compilation)
  const emission = await emitAll(app, tree, {
    functions,
    profile,
    store,
    report: problems.report,
    // The process of the smoke test starts while functions are compiled.
    beforeCompiling: () => void smokeTest.start(),
  })
  const dynamic = problems.errors()
  if (!dynamic.every((problem) => options.allowDynamic && isDynamic(problem)))
    return failureOf(compilation)
  onPhase('bundle')
  const { manifest, output } = await bundleAll(compilation, declared, app, emission)
  if (problems.size > dynamic.length) return failureOf(compilation)
  const { packed, reused } = emission
  return {
    options,
    diagnostics: [],
    dynamic,
    warnings: problems.warnings(),
    leftOpen: booted?.recording.handles,
    artifact: {
      graph,
      tree,
      app,
      manifest,
      output,
      routes: completeRoutes(app, output.digests),
      compiled: packed.length - reused.size,
      reused: reused.size,
    },
  }
}

function failureOf({ options, problems }: Compilation): CompileResult {
  return {
    options,
    diagnostics: problems.errors(),
    dynamic: [],
    warnings: problems.warnings(),
    leftOpen: undefined,
    artifact: undefined,
  }
}

/** Declarations of an application, from its source and from booting it. */
interface Declared {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree
  /** The tree by the source alone. */
  readonly scanned: ContextTree | undefined
  readonly booted: Booted | undefined
}

/** Scans the source, and boots the application if the options say so. `undefined` if that isn't enough to continue. */
async function findDeclarations(compilation: Compilation): Promise<Declared | undefined> {
  const { options, profile, files, problems, onPhase, caches, trees, deploys } = compilation
  const { report } = problems
  onPhase('scan')
  reportWrongVersions(options.root, report)
  reportPlugAndPlay(options.root, files, report)
  if (problems.size > 0) return undefined
  const process = new SandboxProcess(options.root)
  const sandbox = {
    process: caches === undefined ? process : new CachedProcess(process, caches.evaluations),
    onSlow: (name: string) => onPhase('scan', name),
  }
  const { scan } = await import('./1-scan/index.ts')
  const graph = await scan(options, report, {
    files,
    sandbox,
    trees,
    findsLiterals: deploys,
  })
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
  const scanned = graph && buildTree(graph, report, profile)
  // Only Fastify's own factory generates code at runtime.
  const served = options.factory === 'fastify' ? profile : { ...profile, generatesCode: false }
  if (graph !== undefined) {
    const packages = deploys ? graph.packages : followFastify(graph.packages, options)
    await reportPackages({ ...graph, packages }, options, served, report, caches?.packages)
  }
  let tree = scanned
  let booted: Booted | undefined
  if (options.trace || (options.verify && scanned !== undefined)) {
    onPhase('boot')
    booted = await boot(options, graph?.names.has('listen') ?? true, report)
    if (booted === undefined) return undefined
    if (options.trace) {
      const completed = complete(scanned, problems.errors(), booted, options)
      problems.replaceErrors(completed.problems)
      tree = completed.tree
    }
  }
  return tree && { graph, tree, scanned, booted }
}

/** Bundles the artifact while the smoke test calls the compiled functions. */
async function bundleAll(
  { options, files, problems, smokeTest }: Compilation,
  { graph, tree }: Declared,
  app: ResolvedApp,
  emission: EmittedApp,
): Promise<{ readonly manifest: Manifest; readonly output: BundledOutput }> {
  const userModules = await bundleUserModules(emission.packed)
  const smokeTested = smokeTest.run(freshOf(emission), app.units, userModules)
  // Awaited below, unless something else is thrown first.
  smokeTested.catch(() => undefined)
  const ofParts = new Set([...problemsOfParts(tree), ...emission.incomplete.values()].map(keyOf))
  const { manifest, text } = createManifest({
    tree,
    app,
    emission,
    otherErrors: problems.errors().filter((problem) => !ofParts.has(keyOf(problem))),
    warnings: problems.warnings(),
    start: graph?.start ?? { kind: 'itself' },
    compiled: graph?.compiled ?? new Map(),
    compilers: compilerVersions(),
    files,
    options,
  })
  const output = bundle(emission, text, app, options, files)
  reportBroken(await smokeTested, app, problems.report)
  return { manifest, output }
}

/** Warns if the installed fast-json-stringify keeps Fastify, or else `framework/fastify`, from using the serializers. */
function reportUnusableSerializers(
  { units }: ResolvedApp,
  { options: { serializers, entry, root }, problems }: Compilation,
): void {
  if (![...units.values()].some(({ kind }) => kind === 'serializer')) return
  const { unlike, older } = serializers
  const at = { file: displayPath(entry, root), line: 0, column: 0 }
  if (unlike !== undefined) problems.report(warning('AOT_SERIALIZERS_UNLIKE', at, unlike))
  // Where Fastify serves, `framework` is a development dependency.
  if (older !== undefined && 'framework' in (packageJsonIn(root).dependencies ?? {}))
    problems.report(warning('AOT_SERIALIZERS_OLDER', at, older))
}

/** Reports where the booted application differs from its source. */
function verify(
  scanned: ContextTree,
  booted: Booted,
  functions: readonly FunctionOptions[],
  profile: TargetProfile,
  { report }: Problems,
): void {
  // Problems of a tree itself are reported elsewhere.
  const ignore = (): void => undefined
  const { tree, recording, ofPackages } = booted
  for (const pair of alignInstances(scanned, tree)) {
    if (pair.recorded === undefined) continue
    if (pair.scanned === undefined) {
      const problem = 'it creates another instance, which was not found'
      report(diagnostic('AOT_VERIFY_CONTEXT', pair.recorded.root.at, problem))
      continue
    }
    const used = [functions[instancesOf(scanned).indexOf(pair.scanned)] as FunctionOptions]
    const inSource = { ...pair.scanned, others: [] }
    // Booting can't record functions in options: use those of the source.
    const inBoot = { ...pair.recorded, options: inSource.options, others: [] }
    const recorded = [recording, ...recording.others][instancesOf(tree).indexOf(pair.recorded)]
    compareOptions(inSource.options, recorded as Recording, report)
    compare(
      { tree: inSource, app: resolve(inSource, used, ignore, profile) },
      { tree: inBoot, app: resolve(inBoot, used, ignore, profile) },
      ofPackages,
      report,
    )
  }
}
