/** Builds what has changed. The compiler is loaded only when something has. */
import type { ParsedFiles } from './util/source/parse.ts'
import type { Manifest } from './5-artifact/manifest.ts'
import { obstacleTo, writeArtifact } from './5-artifact/write-artifact.ts'
import { besideBoot } from './booted/in-sandbox.ts'
import { openBuildCaches, saveBuild } from './cache/build-caches.ts'
import { cacheFor, type Cache } from './cache/index.ts'
import type { OnPhase, Output, ResolvedOptions } from './model/index.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { failure, type CompiledArtifact, type CompileResult, type SharedState } from './result.ts'
import { SourceFiles } from './util/source-files.ts'

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
  const cache = cacheFor(options)
  const last = lastBuild(cache, options)
  if (last !== undefined) return last
  const obstacle = obstacleTo(options)
  if (obstacle !== undefined)
    return { ...failure(options, [obstacle]), artifact: undefined, read: [] }
  const trees =
    session && (session.trees ??= new (await import('./util/source/parse.ts')).ParsedFiles())
  const caches = cache && openBuildCaches(cache)
  const files = caches?.files ?? new SourceFiles()
  const compiled = await compileBooting(options, onPhase, { files, caches, trees })
  const { artifact, options: _, ...result } = compiled
  const read = [...new Set([...files.reads()].map(([, path]) => path))]
  if (artifact === undefined) return { ...compiled, artifact, read }
  onPhase('write')
  const problem = writeArtifact(artifact.output, options)
  if (problem !== undefined)
    return { ...failure(options, [problem]), artifact: undefined, read: [] }
  const { manifest, output, reused } = artifact
  const unkept =
    cache && caches ? await saveBuild(cache, caches, artifact, result) : 'the cache is off'
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

/** Compiles the application as a build does, but writes nothing. */
export async function pendingBuild(
  buildOptions: BuildOptions,
  onPhase: OnPhase,
): Promise<PendingBuild> {
  const options = resolveOptions(buildOptions)
  const cache = cacheFor(options)
  const last = lastBuild(cache, options)
  if (last !== undefined) return last
  return compileBooting(options, onPhase, { caches: cache && openBuildCaches(cache) })
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

/** The result of the last build, if a build would write the same now. */
function lastBuild(cache: Cache | undefined, options: ResolvedOptions): BuildResult | undefined {
  const last = cache?.lastBuild()
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
