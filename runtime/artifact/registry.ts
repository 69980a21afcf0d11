/** The artifacts and the development compiler of this process. */
import type { CompiledFunction, CompileUnit } from './index.ts'
import type { LineName } from './lines.ts'
import type { ArtifactIndex } from './load.ts'

/** Compiles in process, for development. Provided by the compiler package. */
export interface DevelopmentCompiler {
  (unit: CompileUnit, line?: LineName): CompiledFunction
  /** Explains why applications don't start, and shows uncaught errors with their place. */
  reportFailures?(): void
}

/** The compiler that `framework/development` registered. */
interface Development {
  readonly compile: DevelopmentCompiler
  /** True if NODE_ENV was `production` at that time: suites set it later, to test what their application does in production. */
  readonly isProduction: boolean
}

/**
 * Stored on the global object, because an artifact may be preloaded for another copy of this package (a workspace package, a bundle,
 * the CommonJS build). Digests make it safe to search several artifacts. An artifact's `register.js` writes the data without importing
 * this package, which would cost time at startup.
 *
 * The key is a string, not a symbol: test runners with their own global object, such as Jest, copy string keys only.
 */
const ARTIFACTS = 'framework.artifacts'
const DEVELOPMENT = 'framework.development'
const EXPLAIN = 'framework.explain'

/** Indexes of preloaded artifacts. */
type Indexes = ArtifactIndex[] & {
  /** Set once an application of this package exists. */
  isLookedInto?: boolean
}

const holder = globalThis as {
  [ARTIFACTS]?: Indexes
  [DEVELOPMENT]?: Development
  [EXPLAIN]?: (error: Error, place?: string) => void
}

/** Returns the indexes of preloaded artifacts. */
export function registeredIndexes(): readonly ArtifactIndex[] {
  return holder[ARTIFACTS] ?? []
}

/** Returns true if the first preloaded artifact is for Fastify 5, false for another line, and `undefined` without an artifact. */
export function isForFastify5(): boolean | undefined {
  const [index] = registeredIndexes()
  return index && index.line === 'fastify@5'
}

/** Notes that an application of this package exists. Without one, `register.js` warns that nothing uses the artifact. */
export function markArtifactsUsed(): void {
  const indexes = holder[ARTIFACTS]
  if (indexes !== undefined) indexes.isLookedInto = true
}

/** Makes every instance of this process compile in process what no artifact contains. Called by `framework/development`. */
export function registerDevelopmentCompiler(compile: DevelopmentCompiler): void {
  holder[DEVELOPMENT] ??= { compile, isProduction: process.env.NODE_ENV === 'production' }
}

export function registeredDevelopment(): Development | undefined {
  return holder[DEVELOPMENT]
}

/** Registers a function that adds explanations to errors in development. `place` is the route's, as `file:line:column`. */
export function registerExplainer(explain: (error: Error, place?: string) => void): void {
  holder[EXPLAIN] = explain
}

/** Explains an error in development, and returns it. `place` returns where the route is declared. */
export function explained<Failure extends Error>(
  error: Failure,
  place?: () => string | undefined,
): Failure {
  const explain = holder[EXPLAIN]
  // Only in development, because finding a place is slow.
  if (explain !== undefined) explain(error, place?.())
  return error
}
