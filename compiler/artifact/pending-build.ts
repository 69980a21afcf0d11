/** The pending build: its artifact as it would be written now. */
import type { Manifest } from '../5-bundle/manifest.ts'
import { cachesFor, unchangedBuild } from '../build.ts'
import type { CompileResult, OnPhase } from '../compile.ts'
import type { Output } from '../model/index.ts'
import type { BuildOptions } from '../options.ts'

export interface PendingBuild extends Omit<CompileResult, 'artifact'> {
  /** `undefined` if the application has problems. */
  readonly artifact: PendingArtifact | undefined
}

export interface PendingArtifact {
  readonly manifest: Manifest
  readonly output: Output
}

/** Compiles the application as a build does, but writes nothing. */
export async function pendingBuild(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
): Promise<PendingBuild> {
  const last = unchangedBuild(buildOptions)
  if (last !== undefined) return last
  const { compile } = await import('../compile.ts')
  return compile(buildOptions, onPhase, { caches: cachesFor(buildOptions) })
}
