/** Which artifacts and which development compiler this process has been given. */
import type { CompiledFunction, CompileUnit } from './index.ts'
import type { ArtifactIndex } from './load.ts'

/** Compiles in process, for development; lives in the compiler and is handed in. */
export interface DevelopmentCompiler {
  (unit: CompileUnit): CompiledFunction
  /** Adds what a build says of the application to an error about its schemas. */
  explain?(error: Error): void
}

/**
 * On the global object, because an artifact may be preloaded for another copy of this package (a workspace
 * package, a bundle, the CommonJS build); digests make it safe to look into several artifacts. `register.js` of an
 * artifact writes there itself: plain data needs no import, and so no time, before the application asks for it.
 *
 * Under a name, not a symbol: what runs tests in a global object of its own, as Jest does, copies names alone.
 */
const ARTIFACTS = 'framework.artifacts'
const DEVELOPMENT = 'framework.development'

const holder = globalThis as {
  [ARTIFACTS]?: ArtifactIndex[]
  [DEVELOPMENT]?: DevelopmentCompiler
}

/** What preloaded artifacts say of themselves. */
export function registeredIndexes(): readonly ArtifactIndex[] {
  return holder[ARTIFACTS] ?? []
}

/** Makes every instance of this process compile in process. `framework/development` calls it. */
export function registerDevelopmentCompiler(compile: DevelopmentCompiler): void {
  holder[DEVELOPMENT] = compile
}

export function registeredDevelopmentCompiler(): DevelopmentCompiler | undefined {
  return holder[DEVELOPMENT]
}

/** The error; in development it says where the fault is, and what to do. */
export function explained<Failure extends Error>(error: Failure): Failure {
  holder[DEVELOPMENT]?.explain?.(error)
  return error
}
