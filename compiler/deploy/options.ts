import type { BuildOptions } from '../options.ts'
import type { Cost } from './analysis/costs.ts'
import type { ModuleSize } from './sizes.ts'
import type { CompileCacheOptions } from './start/compile-cache.ts'
import type { Target } from './targets/index.ts'

export interface DeployOptions extends BuildOptions, CompileCacheOptions {
  readonly target: Target
  /** The folder to write. Default `.framework/deploy/<target>` (Vercel: `.vercel/output`), beside the application's package.json. */
  readonly out?: string | undefined
  /** Packages to copy instead of bundling them. */
  readonly external?: readonly string[] | undefined
  /** Files and folders to add. */
  readonly include?: readonly string[] | undefined
  /** Packages to add that the runtime loads on demand and the source doesn't mention. */
  readonly with?: readonly string[] | undefined
  /** Leaves schemas in the application as they're written. */
  readonly keepSchemas?: boolean | undefined
  /** Size of validators and serializers, in bytes, from which on they're loaded on demand. */
  readonly filesFrom?: number | undefined
  /** Boots a Worker for its first request instead of at start. */
  readonly lateBoot?: boolean | undefined
  /** Writes a page about the code beside the deployment, for `node` with the measured costs of a start. */
  readonly analyze?: AnalysisWriter | undefined
}

export interface AnalysisWriter {
  /**
   * @param modules largest first
   * @param costs `undefined` for deployments that can't be started here
   */
  analysisPage(
    name: string,
    modules: readonly ModuleSize[],
    costs: readonly Cost[] | undefined,
  ): string
  /** Tells earlier pages, which may be replaced, from other files. */
  isPage(text: string): boolean
}
