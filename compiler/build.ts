/** Builds what has changed. The compiler is loaded only when something has. */
import type { ParsedFiles } from './1-scan/parse.ts'
import type { Manifest } from './5-artifact/manifest.ts'
import { outputObstacle } from './5-artifact/output-obstacle.ts'
import { overwriteConflict } from './5-artifact/overwrite-conflict.ts'
import { write } from './5-artifact/write.ts'
import { besideBoot } from './booted/in-sandbox.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import { openBuildCaches, whyNotWritten } from './cache/build-caches.ts'
import { environmentFingerprint, recordReads } from './cache/build-record.ts'
import type { Cache } from './cache/index.ts'
import { openCache } from './cache/index.ts'
import type { CompiledArtifact, CompileResult, OnPhase, SharedState } from './compile.ts'
import type { Diagnostic, Output, ResolvedOptions, SourceLocation } from './model/index.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { diagnostic } from './report/errors.ts'
import { displayPath } from './util/paths.ts'
import { isFileError, SourceFiles } from './util/source-files.ts'

/** How much of a build was done by earlier ones. */
export interface Reuse {
  /** True if nothing was to be done at all. */
  readonly unchanged: boolean
  /** Number of functions compiled by this build. */
  readonly compiled: number
  /** Number of functions taken from the cache. */
  readonly reused: number
  /** The reason if later builds can't tell that nothing has changed. */
  readonly unkept: string | undefined
}

export interface BuildResult extends Omit<CompileResult, 'artifact'> {
  readonly artifact: BuiltArtifact | undefined
  /** Absolute paths that the result depends on, including files that don't exist. */
  readonly read: readonly string[]
}

/** State that builds in one process share. */
export interface Session {
  trees?: ParsedFiles
}

export interface BuiltArtifact extends Pick<CompiledArtifact, 'manifest'> {
  readonly output: Output
  readonly reuse: Reuse
}

/** A build that isn't written; without artifact if the application has problems. */
export interface PendingBuild extends Omit<CompileResult, 'artifact'> {
  readonly artifact: Pick<BuiltArtifact, 'manifest' | 'output'> | undefined
}

/**
 * Compiles the application and writes the artifact if there is no problem. The cache of earlier builds changes nothing about
 * the bytes of the artifact.
 *
 * @param session shared by builds that follow one another in one process
 */
export async function build(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
  session?: Session,
): Promise<BuildResult> {
  const options = resolveOptions(buildOptions)
  return unchangedBuild(options) ?? (await compileAndWrite(options, onPhase, session))
}

/** Compiles the application as a build does, but writes nothing. */
export async function pendingBuild(
  buildOptions: BuildOptions,
  onPhase: OnPhase,
): Promise<PendingBuild> {
  const options = resolveOptions(buildOptions)
  const last = unchangedBuild(options)
  if (last !== undefined) return last
  return compileBooting(options, onPhase, { caches: cachesFor(options) })
}

/** Compiles. The boot in the sandbox starts before the compiler is loaded. */
export function compileBooting(
  options: ResolvedOptions,
  onPhase: OnPhase,
  state: SharedState,
): Promise<CompileResult> {
  return besideBoot(options, state.caches?.boots, async (beside) => {
    const { compileResolved } = await import('./compile.ts')
    return compileResolved(options, onPhase, { ...state, beside })
  })
}

/** The caches for a build that doesn't write an artifact. */
export function cachesFor(options: ResolvedOptions): BuildCaches | undefined {
  const cache = cacheFor(options)
  return cache && openBuildCaches(cache)
}

function cacheFor(options: ResolvedOptions): Cache | undefined {
  // A booted application depends on more than its files.
  return options.cache && !options.trace && !options.verify ? openCache(options) : undefined
}

/** The result of the last build, if a build would write the same now. */
function unchangedBuild(options: ResolvedOptions): BuildResult | undefined {
  const last = cacheFor(options)?.lastBuild()
  if (last === undefined) return undefined
  const { output, result, read } = last
  const manifest = JSON.parse(output.entryFiles.get('manifest.json') as string) as Manifest
  const reused = Object.keys(manifest.functions).length
  return {
    ...(result as Omit<CompileResult, 'artifact' | 'options'>),
    options,
    read,
    artifact: {
      manifest,
      output,
      reuse: { unchanged: true, compiled: 0, reused, unkept: undefined },
    },
  }
}

async function compileAndWrite(
  options: ResolvedOptions,
  onPhase: OnPhase,
  session: Session | undefined,
): Promise<BuildResult> {
  const obstacle = obstacleTo(options)
  if (obstacle !== undefined) return failedBuild(options, obstacle)
  const trees = session && (session.trees ??= new (await import('./1-scan/parse.ts')).ParsedFiles())
  const cache = cacheFor(options)
  const caches = cache && openBuildCaches(cache)
  const files = caches?.files ?? new SourceFiles()
  const compiled = await compileBooting(options, onPhase, { files, caches, trees })
  const { artifact, options: _, ...result } = compiled
  const read = [...new Set([...files.reads()].map(([, path]) => path))]
  if (artifact === undefined) return { ...compiled, artifact, read }
  onPhase('write')
  const problem = writeArtifact(artifact.output, options)
  if (problem !== undefined) return failedBuild(options, problem)
  const { manifest, output, reused } = artifact
  const unkept =
    cache && caches ? await saveCaches(cache, caches, artifact, result) : 'the cache is off'
  // Without members for deployments: they are functions, which a thread can't send.
  const { parts, entryFiles, bytes } = output
  return {
    ...compiled,
    read,
    artifact: {
      manifest,
      output: { parts, entryFiles, bytes },
      reuse: { unchanged: false, compiled: artifact.compiled, reused, unkept },
    },
  }
}

/** Checks early that the artifact can be written to its folder. */
function obstacleTo(options: ResolvedOptions): Diagnostic | undefined {
  const obstacle = outputObstacle(options.out, options.root)
  return obstacle === undefined ? undefined : notWritable(options, obstacle)
}

/** Returns the problem that prevented writing, if any. */
function writeArtifact(output: Output, options: ResolvedOptions): Diagnostic | undefined {
  const display = (path: string): string => displayPath(path, options.root)
  try {
    const conflict = overwriteConflict(output, options.out)
    if (conflict === undefined) {
      write(output, options.out)
      return undefined
    }
    const file = display(conflict.file)
    return conflict.type === 'replace'
      ? diagnostic('AOT_OUTPUT_NOT_OURS', placeOf(options), file)
      : diagnostic('AOT_OUTPUT_LEADS_OUT', placeOf(options), file, display(conflict.target))
  } catch (error) {
    if (!isFileError(error)) throw error
    return notWritable(options, error.message)
  }
}

function notWritable(options: ResolvedOptions, reason: string): Diagnostic {
  const at = placeOf(options)
  return diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, at.file, reason)
}

/** The folder of the artifact as a place. */
function placeOf({ out, root }: ResolvedOptions): SourceLocation {
  return { file: displayPath(out, root), line: 0, column: 0 }
}

/** The result of a build that writes nothing. */
function failedBuild(options: ResolvedOptions, problem: Diagnostic): BuildResult {
  return {
    options,
    diagnostics: [problem],
    dynamic: [],
    warnings: [],
    leftOpen: undefined,
    artifact: undefined,
    read: [],
  }
}

/** Writes the caches for later builds. Returns the reason if they can't be written: the artifact is valid all the same. */
async function saveCaches(
  cache: Cache,
  { files, closures, boots, save }: BuildCaches,
  { tree, output }: CompiledArtifact,
  result: Omit<CompileResult, 'artifact' | 'options'>,
): Promise<string | undefined> {
  const { functionFingerprint, importedFunctions } = await import('./cache/function-fingerprint.ts')
  const hasFunctions = importedFunctions(tree).length > 0
  const loaded = await closures.of([...files.loaded.values()])
  const isKnown = !hasFunctions || (await functionFingerprint(tree, closures)) !== undefined
  const refusal = await save()
  if (refusal !== undefined) return refusal
  if (!loaded.isComplete || !isKnown) {
    return 'the build ran code of the application that may depend on more than its files'
  }
  return whyNotWritten(() =>
    cache.record(output, {
      reads: recordReads(cache.root, files, [...closures.reads(), ...boots.reads()]),
      environment: hasFunctions ? environmentFingerprint() : undefined,
      result,
    }),
  )
}
