/** Compiles an application in memory: runs the phases in order. */
import type { ParsedFiles } from './1-scan/parse.ts'
import type { FunctionOptions } from './3-resolve/function-options.ts'
import { loadFunctionOptions, reportConflicts } from './3-resolve/function-options.ts'
import { bundle, completeRoutes } from './5-artifact/index.ts'
import type { BundledOutput } from './5-artifact/index.ts'
import { createManifest } from './5-artifact/create-manifest.ts'
import type { Manifest } from './5-artifact/manifest.ts'
import { libraryParsersOf } from './5-artifact/library-parsers.ts'
import { SmokeTest } from './5-artifact/smoke-test.ts'
import { bundleUserModules } from './5-artifact/user-modules.ts'
import { completeHooks } from './booted/hooks.ts'
import { besideBoot, type SandboxedBoot } from './booted/in-sandbox.ts'
import { resolveTree, type ResolvedTree } from './booted/lacking.ts'
import { verify } from './booted/verify.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import { createClosures } from './cache/closure.ts'
import { functionFingerprint } from './cache/function-fingerprint.ts'
import type { EmittedApp } from './emit-driver/index.ts'
import { emitAll, freshOf, reportBroken } from './emit-driver/index.ts'
import { addBooted, findDeclarations, type Declared, type Search } from './declarations.ts'
import { profileOf } from './servers/index.ts'
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
import { isDynamic, problemsOfParts } from './report/dynamic.ts'
import { warning } from './report/errors.ts'
import { keyOf, Problems } from './report/problems.ts'
import { packageJsonIn } from './util/package-json.ts'
import { displayPath, packageNameIn } from './util/paths.ts'
import { SourceFiles } from './util/source-files.ts'
import { compilerVersions } from './packages/compiler-versions.ts'

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
  /** The boot of the application in the sandbox; without it, there is none. */
  readonly beside?: SandboxedBoot | undefined
  /** Compiles for a deployment: finds the schemas in the source that it extracts, and expects nothing to be installed. */
  readonly deploys?: boolean
}

/** Compiles an application, without writing the artifact. */
export function compile(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
  state: SharedState = {},
): Promise<CompileResult> {
  const options = resolveOptions(buildOptions)
  return besideBoot(options, state.caches?.boots, (beside) =>
    compileResolved(options, onPhase, { ...state, beside }),
  )
}

export async function compileResolved(
  options: ResolvedOptions,
  onPhase: OnPhase,
  state: SharedState,
): Promise<CompileResult> {
  const { caches, trees, beside, deploys = false } = state
  const compilation: Compilation = {
    options,
    profile: profileOf(options.line, options.serializers.as),
    files: state.files ?? caches?.files ?? new SourceFiles(),
    caches,
    trees,
    beside,
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

interface Compilation extends Search {
  readonly smokeTest: SmokeTest
}

async function runPhases(compilation: Compilation): Promise<CompileResult> {
  const { options, profile, problems, onPhase } = compilation
  const declared = await findDeclarations(compilation)
  if (declared === undefined) return failureOf(compilation)
  const { graph, scanned, booted } = declared
  onPhase('resolve')
  const functions: FunctionOptions[] = []
  for (const one of instancesOf(declared.tree))
    functions.push(await loadFunctionOptions(one.options, problems.report))
  reportConflicts(functions, problems.report)
  const resolved = resolveTree(declared.tree, functions, profile, problems.report)
  if (options.verify && booted && scanned)
    verify(scanned, booted, functions, profile, problems.report)
  let completed = await addBooted(resolved, booted, compilation)
  // Without its options, the errors of compilers would mislead.
  if (problems.errors().some(({ code }) => code === 'AOT_OPTIONS_NOT_STATIC'))
    return failureOf(compilation)
  let emission = await emit(completed, compilation)
  const dynamic = problems.errors()
  if (!dynamic.every((problem) => options.allowDynamic && isDynamic(problem)))
    return failureOf(compilation)
  if (declared.later) onPhase('boot')
  const later = await declared.later
  const withBooted = await addBooted(completed, later?.booted, compilation)
  if (withBooted !== completed) {
    completed = withBooted
    emission = await emit(completed, compilation)
  }
  const { app } = completed
  const tree = later?.certain ? completeHooks(completed.tree, later.certain, false) : completed.tree
  onPhase('bundle')
  const found = { ...declared, ...later, tree }
  const { manifest, output } = await bundleAll(compilation, found, app, emission)
  if (problems.size > dynamic.length) return failureOf(compilation)
  const { packed, reused } = emission
  return {
    options,
    diagnostics: [],
    dynamic,
    warnings: problems.warnings(),
    leftOpen: options.trace || options.verify ? booted?.recording.handles : undefined,
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

async function emit(
  { tree, app, functions }: ResolvedTree,
  compilation: Compilation,
): Promise<EmittedApp> {
  const { profile, problems, smokeTest, caches, onPhase } = compilation
  onPhase('emit')
  const closures = caches?.closures ?? createClosures()
  const store = caches?.units(await functionFingerprint(tree, closures))
  reportUnusableSerializers(app, compilation)
  return emitAll(app, tree, {
    functions,
    profile,
    store,
    report: problems.report,
    // The process of the smoke test starts while functions are compiled.
    beforeCompiling: () => void smokeTest.start(),
  })
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

/** Bundles the artifact while the smoke test calls the compiled functions. */
async function bundleAll(
  { options, files, problems, smokeTest, deploys }: Compilation,
  { graph, tree, booted, stop, document }: Declared,
  app: ResolvedApp,
  emission: EmittedApp,
): Promise<{ readonly manifest: Manifest; readonly output: BundledOutput }> {
  const userModules = await bundleUserModules(emission.packed)
  const smokeTested = smokeTest.run(freshOf(emission), app.units, userModules)
  // Awaited below, unless something else is thrown first.
  smokeTested.catch(() => undefined)
  const ofParts = new Set([...problemsOfParts(tree), ...emission.incomplete.values()].map(keyOf))
  const parsers = libraryParsersOf(tree, options, deploys)
  const { manifest, text } = createManifest({
    tree,
    parsers,
    app,
    emission,
    otherErrors: problems.errors().filter((problem) => !ofParts.has(keyOf(problem))),
    warnings: problems.warnings(),
    start: graph?.start ?? { kind: 'itself' },
    stop,
    document,
    hookNames: graph && [
      ...graph.hookNames,
      ...graph.packages.map(({ specifier }) => packageNameIn(specifier)),
      ...Object.keys(booted?.recording.decorators ?? {}).map((name) => `app.${name}`),
    ],
    compiled: graph?.compiled ?? new Map(),
    compilers: compilerVersions(),
    files,
    options,
  })
  const output = bundle(emission, text, app, parsers, options, files)
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
