/** Which artifacts and which development compiler this process has been given. */
import type { Artifact, CompiledFunction, CompileUnit } from './index.ts'

/** Compiles in process, for development; lives in the compiler and is handed in. */
export type DevelopmentCompiler = (unit: CompileUnit) => CompiledFunction

interface Registry {
  readonly artifacts: Artifact[]
  development: DevelopmentCompiler | undefined
}

/**
 * Kept on the global object: an artifact may be preloaded through another copy of this package than the
 * application's (a workspace package, a bundle). Digests make it safe to look into several artifacts.
 */
const kRegistry = Symbol.for('framework.registry')

function registry(): Registry {
  const holder = globalThis as { [kRegistry]?: Registry }
  return (holder[kRegistry] ??= { artifacts: [], development: undefined })
}

/** Offers an artifact to every instance of this process. `register.js` of an artifact calls it. */
export function registerArtifact(artifact: Artifact): void {
  registry().artifacts.push(artifact)
}

export function registeredArtifacts(): readonly Artifact[] {
  return registry().artifacts
}

/** Makes every instance of this process compile in process. `framework/development` calls it. */
export function registerDevelopmentCompiler(compile: DevelopmentCompiler): void {
  registry().development = compile
}

export function registeredDevelopmentCompiler(): DevelopmentCompiler | undefined {
  return registry().development
}
