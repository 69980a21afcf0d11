/** Compiles an application in memory: runs the phases in order. */
import { buildTree } from './2-tree/index.ts'
import { loadFunctions } from './3-resolve/function-options.ts'
import { bundle, completeRoutes } from './5-artifact/index.ts'
import { SmokeTest } from './5-artifact/smoke-test.ts'
import { completeHooks } from './booted/hooks.ts'
import { besideBoot } from './booted/in-sandbox.ts'
import { resolveTree, type ResolvedTree } from './booted/lacking.ts'
import { verify } from './booted/verify.ts'
import { functionFingerprint } from './cache/function-fingerprint.ts'
import { addBooted, completeScan, hookNamesOf, scanSource, withLoaded } from './declarations.ts'
import type { Declared, Search } from './declarations.ts'
import { emitAll, reportBroken } from './emit-driver/index.ts'
import type { Diagnostic, EmittedApp, OnPhase, ResolvedOptions } from './model/index.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { reportWrongVersions } from './packages/compiler-versions.ts'
import { reportPlugAndPlay } from './packages/plug-n-play.ts'
import { reportUnusableSerializers } from './packages/serializers.ts'
import { isDynamic } from './report/dynamic.ts'
import { Problems } from './report/problems.ts'
import { failure, type CompileResult, type SharedState } from './result.ts'
import { profileOf } from './servers/index.ts'
import { SourceFiles } from './util/source-files.ts'

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
  const { report } = problems
  const failed = (): CompileResult => failure(options, problems.errors(), problems.warnings())
  const declared = await declare(compilation)
  if (declared === undefined) return failed()
  const { graph, scanned, booted } = declared
  onPhase('resolve')
  const functions = await loadFunctions(declared.tree, report)
  let resolved = resolveTree(declared.tree, functions, profile, report)
  if (options.verify && booted && scanned) verify(scanned, booted, functions, profile, report)
  resolved = await addBooted(resolved, booted, compilation)
  // Without its options, the errors of compilers would mislead.
  if (problems.errors().some(({ code }) => code === 'AOT_OPTIONS_NOT_STATIC')) return failed()
  let emission = await emit(resolved, compilation)
  const dynamic = problems.errors()
  if (!dynamic.every((problem) => options.allowDynamic && isDynamic(problem))) return failed()
  if (declared.later) onPhase('boot')
  const later = await declared.later
  if (later?.warning) report(later.warning)
  const withBooted = await addBooted(resolved, later?.booted, compilation)
  if (withBooted !== resolved) {
    resolved = withBooted
    emission = await emit(resolved, compilation)
  }
  onPhase('bundle')
  const { app } = resolved
  const tree = later?.certain ? completeHooks(resolved.tree, later.certain, false) : resolved.tree
  const found = { ...declared, ...later }
  const sources = { ...found, tree, app, emission, hookNames: hookNamesOf(found) }
  const { broken, ...bundled } = await bundle(sources, compilation)
  reportBroken(broken, app, report)
  if (problems.size > dynamic.length) return failed()
  const { packed, reused } = emission
  return {
    options,
    diagnostics: [],
    dynamic,
    warnings: problems.warnings(),
    leftOpen: options.trace || options.verify ? booted?.recording.handles : undefined,
    artifact: {
      ...bundled,
      graph: graph && found.booted ? withLoaded(graph, found.booted.recording) : graph,
      tree,
      app,
      callsAtStart: found.booted?.recording.callsAtStart ?? [],
      routes: completeRoutes(app, bundled.output.digests),
      compiled: packed.length - reused.size,
      reused: reused.size,
    },
  }
}

/** Scans the source, and completes that by the boot. `undefined` if that isn't enough to continue. */
async function declare(compilation: Compilation): Promise<Declared | undefined> {
  const { options, profile, files, problems } = compilation
  reportWrongVersions(options.root, problems.report)
  reportPlugAndPlay(options.root, files, problems.report)
  if (problems.size > 0) return undefined
  const graph = await scanSource(compilation)
  const hasNoSource = ({ code }: Diagnostic): boolean =>
    code === 'AOT_SYNTAX_ERROR' || code === 'AOT_ENTRY_NOT_FOUND'
  if (problems.errors().some(hasNoSource)) return undefined
  const tree = graph && buildTree(graph, problems.report, profile)
  return completeScan({ graph, tree }, compilation)
}

async function emit(
  { tree, app, functions }: ResolvedTree,
  { options, profile, problems, smokeTest, caches, onPhase }: Compilation,
): Promise<EmittedApp> {
  onPhase('emit')
  reportUnusableSerializers(app, options, problems.report)
  return emitAll(app, tree, {
    functions,
    profile,
    store: caches?.units(await functionFingerprint(tree, caches.closures)),
    report: problems.report,
    // The process of the smoke test starts while functions are compiled.
    beforeCompiling: () => void smokeTest.start(),
  })
}
