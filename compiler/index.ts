/** `framework/compiler`: compiles an application's schemas ahead of time. */
import { scan } from './1-scan/index.ts'
import { buildTree } from './2-tree/index.ts'
import { createExplain } from './3-resolve/explain.ts'
import { resolve } from './3-resolve/index.ts'
import type { LiveOptions } from './3-resolve/live-options.ts'
import { loadLiveOptions } from './3-resolve/live-options.ts'
import { createEmitter, EmitError } from './4-emit/index.ts'
import { compilerVersions } from './4-emit/versions.ts'
import { bundle } from './5-bundle/index.ts'
import type { Emission, Manifest } from './5-bundle/manifest.ts'
import { createManifest } from './5-bundle/manifest.ts'
import { write } from './5-bundle/write.ts'
import { isOpen, keyOf, problemsOfParts } from './dynamic.ts'
import type {
  Binding,
  ContextTree,
  Diagnostic,
  Digest,
  EmittedUnit,
  Output,
  Report,
  ResolvedApp,
  ResolvedOptions,
} from './model.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'

export type { Manifest } from './5-bundle/manifest.ts'
export type { BuildOptions } from './options.ts'
export type { Diagnostic, SourceLocation } from './model.ts'
export { isOpen } from './dynamic.ts'
export { isTwin } from './5-bundle/coverage.ts'
export { codeFrame } from './frame.ts'

/** What a build is doing. */
export type Phase = 'scan' | 'resolve' | 'emit' | 'bundle' | 'write'

/** Called when a phase begins. */
export type OnPhase = (phase: Phase) => void

/** Either problems, or an artifact that is ready to be written. */
export interface CompileResult {
  readonly options: ResolvedOptions
  /** In the order of their places; when there is one, there is no artifact. */
  readonly diagnostics: readonly Diagnostic[]
  /** What is left to the running application because the user allows it. In the order of their places. */
  readonly dynamic: readonly Diagnostic[]
  readonly artifact: CompiledArtifact | undefined
}

export interface CompiledArtifact {
  readonly tree: ContextTree
  readonly manifest: Manifest
  readonly output: Output
}

/** Compiles in memory: reads the application's files, runs none of them, writes nothing. */
export async function compile(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
): Promise<CompileResult> {
  const options = resolveOptions(buildOptions)
  const problems = new Map<string, Diagnostic>()
  const report: Report = (problem) => void problems.set(keyOf(problem), problem)

  const problemsOnly = (): CompileResult => ({
    options,
    diagnostics: [...problems.values()].sort(byPlace),
    dynamic: [],
    artifact: undefined,
  })

  onPhase('scan')
  const graph = await scan(options, report)
  if (graph === undefined) return problemsOnly()
  const tree = buildTree(graph, report)
  onPhase('resolve')
  const live = await loadLiveOptions(tree.options, report)
  const app = resolve(tree, live, report)
  onPhase('emit')
  const emission = emit(app, tree, live, report)
  const found = [...problems.values()].sort(byPlace)
  if (!found.every((problem) => options.allowDynamic && isOpen(problem))) return problemsOnly()
  onPhase('bundle')
  const told = new Set([...problemsOfParts(tree), ...emission.incomplete.values()].map(keyOf))
  const open = found.filter((problem) => !told.has(keyOf(problem)))
  const manifest = createManifest(tree, app, emission, open, compilerVersions(), options)
  const output = await bundle(emission.emitted, manifest, options)
  return { options, diagnostics: [], dynamic: found, artifact: { tree, manifest, output } }
}

/** Compiles and, when there was no problem, writes the artifact. */
export async function build(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
): Promise<CompileResult> {
  const result = await compile(buildOptions, onPhase)
  if (result.artifact) {
    onPhase('write')
    write(result.artifact.output, result.options.out)
  }
  return result
}

/** Compiles every unit; a unit that cannot be compiled is reported once at each place in each context. */
function emit(
  app: ResolvedApp,
  tree: ContextTree,
  { origins }: LiveOptions,
  report: Report,
): Emission {
  const emitter = createEmitter({ origins })
  const explain = createExplain(tree)
  const emitted: EmittedUnit[] = []
  const incomplete = new Map<Digest, Diagnostic>()
  for (const unit of app.units.values()) {
    try {
      emitted.push(emitter.emit(unit))
    } catch (error) {
      if (!(error instanceof EmitError)) throw error
      for (const binding of distinctSites(app, unit.digest)) {
        const problems = explain(binding, error.message)
        problems.forEach(report)
        const cause = problems.find(isOpen)
        if (cause) incomplete.set(unit.digest, cause)
      }
    }
  }
  return { emitted, incomplete }
}

/** One binding for each place in each context: one declaration may have given several routes. */
function distinctSites({ bindings }: ResolvedApp, digest: Digest): Iterable<Binding> {
  const sites = new Map<string, Binding>()
  for (const binding of bindings) {
    if (binding.digest !== digest) continue
    const { file, line, column } = binding.at
    const site = `${file}:${line}:${column} ${binding.context}`
    if (!sites.has(site)) sites.set(site, binding)
  }
  return sites.values()
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1
  return a.at.line - b.at.line || a.at.column - b.at.column || (a.code < b.code ? -1 : 1)
}
