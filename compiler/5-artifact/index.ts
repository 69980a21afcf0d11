/** Phase 5: packs compiled functions into the files of an artifact, in memory, and calls each new one. */
import type {
  ContextTree,
  Digest,
  EmittedApp,
  ResolvedApp,
  ResolvedOptions,
  SourceGraph,
} from '../model/index.ts'
import { compilerVersions } from '../packages/compiler-versions.ts'
import { problemsOfParts } from '../report/dynamic.ts'
import { keyOf, type Problems } from '../report/problems.ts'
import type { SourceFiles } from '../util/source-files.ts'
import { createManifest, type ManifestSources } from './create-manifest.ts'
import { libraryParsersOf } from './library-parsers.ts'
import type { Manifest } from './manifest.ts'
import { outputOf, type BundledOutput } from './output.ts'
import type { SmokeTest } from './smoke-test.ts'
import { bundleUserModules } from './user-modules.ts'

export { completeRoutes, type BundledOutput } from './output.ts'

export interface BundleSources
  extends Partial<Pick<ManifestSources, 'stop' | 'document'>>, Pick<ManifestSources, 'hookNames'> {
  readonly graph: SourceGraph | undefined
  readonly tree: ContextTree
  readonly app: ResolvedApp
  readonly emission: EmittedApp
}

export interface BundleOptions {
  readonly options: ResolvedOptions
  readonly files: SourceFiles
  readonly problems: Problems
  readonly smokeTest: SmokeTest
}

export interface Bundle {
  readonly manifest: Manifest
  readonly output: BundledOutput
  /** Why functions fail, by digest. */
  readonly broken: ReadonlyMap<Digest, string>
}

/** Bundles the artifact while the smoke test calls the functions that this build has compiled itself. */
export async function bundle(
  { graph, tree, app, emission, stop, document, hookNames }: BundleSources,
  { options, files, problems, smokeTest }: BundleOptions,
): Promise<Bundle> {
  const { packed, reused, incomplete } = emission
  const userModules = await bundleUserModules(packed)
  const fresh = packed.filter(({ digest }) => !reused.has(digest))
  const smokeTested = smokeTest.run(fresh, app.units, userModules)
  // Awaited below, unless something else is thrown first.
  smokeTested.catch(() => undefined)
  const ofParts = new Set([...problemsOfParts(tree), ...incomplete.values()].map(keyOf))
  const parsers = libraryParsersOf(tree, options)
  const { manifest, text } = createManifest({
    tree,
    parsers,
    app,
    emission,
    otherErrors: problems.errors().filter((problem) => !ofParts.has(keyOf(problem))),
    warnings: problems.warnings(),
    start: graph?.start ?? { kind: 'itself' },
    stop,
    document,
    hookNames,
    compiled: graph?.compiled ?? new Map(),
    compilers: compilerVersions(),
    files,
    options,
  })
  const output = outputOf(emission, text, app, parsers, options, files)
  return { manifest, output, broken: await smokeTested }
}
