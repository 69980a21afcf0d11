/** Which artifacts and which development compiler this process has been given. */
import type { CompiledFunction, CompileUnit } from './index.ts'
import type { ArtifactIndex } from './load.ts'

/** Compiles in process, for development; lives in the compiler and is handed in. */
export interface DevelopmentCompiler {
  (unit: CompileUnit): CompiledFunction
  /** From now on, errors of applications that do not start say more, and those that nobody catches are shown with their place. */
  tellFailures?(): void
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
const EXPLAIN = 'framework.explain'

/** Those that are preloaded. */
type Indexes = ArtifactIndex[] & {
  /** An application of this package has been made, which looks into them. */
  isLookedInto?: boolean
}

const holder = globalThis as {
  [ARTIFACTS]?: Indexes
  [DEVELOPMENT]?: DevelopmentCompiler
  [EXPLAIN]?: (error: Error, place?: string) => void
}

/** What preloaded artifacts say of themselves. */
export function registeredIndexes(): readonly ArtifactIndex[] {
  return holder[ARTIFACTS] ?? []
}

/** Says that an application looks into them: `register.js` warns when only Fastify itself makes any, which does not. */
export function lookIntoIndexes(): void {
  const indexes = holder[ARTIFACTS]
  if (indexes !== undefined) indexes.isLookedInto = true
}

/** Makes every instance of this process compile in process. `framework/development` calls it. */
export function registerDevelopmentCompiler(compile: DevelopmentCompiler): void {
  holder[DEVELOPMENT] = compile
}

export function registeredDevelopmentCompiler(): DevelopmentCompiler | undefined {
  return holder[DEVELOPMENT]
}

/** Lets `explain` add to errors what is known in development. `place` is that of the route, as `file:line:column`. */
export function registerExplainer(explain: (error: Error, place?: string) => void): void {
  holder[EXPLAIN] = explain
}

/** The error; in development it says where the fault is, and what to do. `place` tells where the route is declared. */
export function explained<Failure extends Error>(
  error: Failure,
  place?: () => string | undefined,
): Failure {
  const explain = holder[EXPLAIN]
  // Finding out a place takes long.
  if (explain !== undefined) explain(error, place?.())
  return error
}
