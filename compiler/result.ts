/** The input and output of `compile`, besides its options. */
import type { ParsedFiles } from './util/source/parse.ts'
import type { BundledOutput } from './5-artifact/index.ts'
import type { Manifest } from './5-artifact/manifest.ts'
import type { SandboxedBoot } from './booted/in-sandbox.ts'
import type { BuildCaches } from './cache/build-caches.ts'
import type {
  CallAtStart,
  ContextTree,
  Diagnostic,
  ResolvedApp,
  ResolvedOptions,
  ResolvedRoute,
  SourceGraph,
} from './model/index.ts'
import type { SourceFiles } from './util/source-files.ts'

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
  /** Calls of the booted application that Workers allow only during requests. */
  readonly callsAtStart: readonly CallAtStart[]
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
  /** The running boot in the sandbox; `undefined` if the application isn't booted there. */
  readonly beside?: SandboxedBoot | undefined
  /** Compiles for a deployment: finds the schemas in the source that it extracts, and expects nothing to be installed. */
  readonly deploys?: boolean
}

export function failure(
  options: ResolvedOptions,
  diagnostics: readonly Diagnostic[],
  warnings: readonly Diagnostic[] = [],
): CompileResult {
  return {
    options,
    diagnostics,
    dynamic: [],
    warnings,
    leftOpen: undefined,
    artifact: undefined,
  }
}
