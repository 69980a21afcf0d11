/** `framework deploy`: turns an application into a folder that a platform can start without installing anything. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { cachesFor } from '../build.ts'
import type { CompiledArtifact, CompileResult, OnPhase } from '../compile.ts'
import { compile } from '../compile.ts'
import type { ApplicationStart, Diagnostic, ResolvedOptions } from '../model/index.ts'
import type { BuildOptions } from '../options.ts'
import { displayPath, isFile } from '../util/paths.ts'
import { isFileError } from '../util/source-files.ts'
import type { WrittenAnalysis } from './analysis/index.ts'
import { costsOf, writeAnalysis } from './analysis/index.ts'
import type { Sizes } from './sizes.ts'
import { sizesOf } from './sizes.ts'
import { BundleError } from './bundle/bundle-error.ts'
import { bundle } from './bundle/index.ts'
import { createFinder } from './bundle/resolution.ts'
import { functionsModule } from './compiled-functions.ts'
import { createDeploymentPaths } from './deployment-paths.ts'
import { createExternalPackages } from './external-packages.ts'
import { createAssets } from './assets.ts'
import { obstacleTo, replaceFolder, restore, temporaryFolder } from './output/folder.ts'
import { writeProgram } from './output/program.ts'
import { bundleFails, missingFiles, missingImport, notWritable, otherServer } from './problems.ts'
import { extractSchemas } from './schemas/index.ts'
import { schemasModule } from './schemas/module.ts'
import type { CompileCacheOptions } from './start/compile-cache.ts'
import {
  fillCompileCache,
  isPortable,
  nodeForCache,
  writeCachedMain,
} from './start/compile-cache.ts'
import type { Target } from './targets/index.ts'
import { platforms } from './targets/index.ts'
import { usesListedFolders } from './targets/listed-folders.ts'
import type { Platform } from './targets/platform.ts'
import { findUnsupported } from './unsupported.ts'
import { virtualModules } from './virtual-modules.ts'

export { targets } from './targets/index.ts'
export type { Target } from './targets/index.ts'

export interface DeployOptions extends Omit<BuildOptions, 'line'>, CompileCacheOptions {
  readonly target: Target
  /** The folder to write. Default `.framework/deploy/<target>`, beside the application's package.json. */
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
  /** Measures the costs of a start, and writes a page about them and the code beside the deployment. */
  readonly analyze?: boolean | undefined
}

export interface Deployment extends Sizes {
  /** Its folder. */
  readonly out: string
  /** The command that starts it, for the current working directory. */
  readonly start: string
  /** Packages that were copied. */
  readonly packages: readonly string[]
  /** Files that the application reads. */
  readonly assets: readonly string[]
  /** Modules that load others by names that the build doesn't know. */
  readonly unknownNames: readonly string[]
  /** Written with `analyze`. */
  readonly analysis: WrittenAnalysis | undefined
}

export interface DeployResult extends Omit<CompileResult, 'artifact'> {
  readonly deployment: Deployment | undefined
}

export async function deploy(
  deployOptions: DeployOptions,
  onPhase: OnPhase = () => undefined,
): Promise<DeployResult> {
  const { target, out: givenOut, analyze = false, compileCache = false, user } = deployOptions
  // Deployments run on this package's own runtime.
  const buildOptions: BuildOptions = { ...deployOptions, out: undefined, line: 'framework' }
  const caches = cachesFor(buildOptions)
  const { artifact, ...compiled } = await compile(buildOptions, onPhase, { caches })
  caches?.save()
  if (artifact === undefined) return { ...compiled, deployment: undefined }
  const { options } = compiled
  const failed = (...problems: readonly Diagnostic[]): DeployResult => ({
    ...compiled,
    diagnostics: problems,
    deployment: undefined,
  })
  const node = compileCache ? nodeForCache(deployOptions) : undefined
  if (isProblem(node)) return failed(node)
  const platform = platforms[target]
  const out = path.resolve(
    givenOut ?? path.join(options.root, platform.out ?? `.framework/deploy/${target}`),
  )
  // Checked before bundling, which takes longer, and again before writing.
  const refusal = whyNotWritable(out, platform, options)
  if (refusal !== undefined) return failed(refusal)
  onPhase('join')
  const main = node === undefined ? 'index' : 'main'
  const program = await bundleApplication(artifact, platform, main, deployOptions, options)
  if (isProblem(program)) return failed(program)
  const { bundled, functions, otherFiles, assets, external, paths } = program
  if (bundled.missing.length > 0) {
    return failed(...bundled.missing.map((one) => missingImport(one, options)))
  }
  const unsupported = findUnsupported({
    target,
    platform,
    start: startOf(artifact),
    importers: bundled.importers,
    externals: bundled.externals,
    programs: assets.programs,
    root: options.root,
  })
  const warnings = [
    ...compiled.warnings,
    ...otherServer(options),
    ...unsupported.warnings,
    ...missingFiles(assets.missing, options),
  ]
  const failedLate = (...problems: readonly Diagnostic[]): DeployResult => ({
    ...failed(...problems),
    warnings,
  })
  if (unsupported.problems.length > 0) return failedLate(...unsupported.problems)
  onPhase('write')
  const folder = temporaryFolder(out)
  try {
    restore(out)
    const refusalNow = whyNotWritable(out, platform, options)
    if (refusalNow !== undefined) return failedLate(refusalNow)
    rmSync(folder, { recursive: true, force: true })
    const { modules, ...sizes } = sizesOf(bundled.files, functions, bundled.sizes)
    const name = applicationName(options.root)
    const copied = writeProgram(folder, {
      platform,
      bundled,
      otherFiles,
      external,
      assets,
      paths,
      applicationName: name,
      code: sizes.files,
    })
    if (node !== undefined) {
      onPhase('start')
      writeCachedMain(folder, `${main}.js`, bundled)
      const problem = await fillCompileCache(folder, node, user, options)
      if (problem !== undefined) return failedLate(problem)
    }
    if (analyze) onPhase('start')
    const costs =
      analyze && target === 'node' ? await costsOf(folder, deployOptions, options) : undefined
    if (isProblem(costs)) return failedLate(costs)
    replaceFolder(folder, out)
    const analysis = analyze ? writeAnalysis(`${out}.html`, { name, modules, costs }) : undefined
    const cacheProblem =
      node === undefined || isPortable(node)
        ? undefined
        : await fillCompileCache(out, node, user, options)
    const flags = node?.flags ?? []
    return {
      ...compiled,
      warnings: cacheProblem === undefined ? warnings : [...warnings, cacheProblem],
      deployment: {
        out,
        start: platform.startCommand(
          [...flags, path.relative(process.cwd(), out) || '.'].join(' '),
        ),
        ...sizes,
        ...copied,
        unknownNames: [...assets.unknownNames]
          .filter((file) => !usesListedFolders(file))
          .map((file) => displayPath(file, options.root))
          .sort(),
        analysis,
      },
    }
  } catch (error) {
    if (!isFileError(error)) throw error
    return failedLate(notWritable(out, error.message, options))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Bundles the application with its artifact and its schemas. */
async function bundleApplication(
  artifact: CompiledArtifact,
  platform: Platform,
  main: string,
  deployOptions: DeployOptions,
  options: ResolvedOptions,
) {
  const { target, external: externalNames = [], include = [], with: requested = [] } = deployOptions
  const { graph } = artifact
  const names = graph?.names ?? allNames
  const paths = createDeploymentPaths(options.root)
  // Transports are loaded by name, in a thread that starts from a file of pino.
  const hasTransports = platform.hasProcesses && names.has('logger') && names.has('transport')
  const external = createExternalPackages(
    [...externalNames, ...(hasTransports ? ['pino'] : [])],
    options.root,
  )
  const assets = createAssets()
  for (const file of include) assets.paths.add(path.resolve(file))
  const literals = deployOptions.keepSchemas ? [] : (graph?.literals() ?? [])
  const extracted = extractSchemas(literals, {
    routes: artifact.routes,
    digests: artifact.output.digests,
    jsonShorthand: artifact.tree.options.jsonShorthand,
    settings: { texts: artifact.settings.texts, contexts: artifact.settings.contexts },
  })
  const functions = functionsModule(artifact, platform.onDemand, deployOptions.filesFrom)
  const schemas = schemasModule(extracted, functions.files.size > 0 ? platform.onDemand : undefined)
  const otherFiles = new Map([...functions.files, ...schemas.files])
  const loadedByName = graph?.loadedByName ?? []
  const entryFiles = ['index.mjs', 'register.js', 'worker.mjs']
  const find = createFinder(platform)
  try {
    const bundled = await bundle({
      platform,
      main,
      find,
      virtual: virtualModules({
        platform,
        entry: options.entry,
        start: startOf(artifact),
        exports: graph?.exports ?? [],
        bootsLate: deployOptions.lateBoot ?? false,
        artifact: functions.code,
        schemas: schemas.code,
        names,
        external,
        requestedPackages: requested,
        loadedByName,
        // Applications are booted for the build if the source doesn't tell everything.
        allLoadedByName: deployOptions.trace ? undefined : graph?.loadedByName,
        paths,
        command: `framework deploy ${displayPath(options.entry, options.root)} --target ${target}`,
      }),
      external,
      artifactFiles: new Set(entryFiles.map((file) => path.join(options.out, file))),
      paths,
      assets,
      hasTransports,
      loadedByName,
      replacements: extracted.replacements,
      otherFiles,
    })
    return { bundled, functions: functions.files, otherFiles, assets, external, paths }
  } catch (error) {
    if (error instanceof BundleError) return bundleFails(error, options)
    throw error
  }
}

/** How the entry starts; if the source doesn't tell, it's assumed to start itself. */
function startOf({ graph }: CompiledArtifact): ApplicationStart {
  return graph?.start ?? { kind: 'itself' }
}

/** Names of an application whose source is unknown, so that everything is bundled that it may need. */
const allNames: ReadonlySet<string> = new Set(['inject', 'logger', 'transport', 'trustProxy'])

function isProblem(value: object | undefined): value is Diagnostic {
  return value !== undefined && 'code' in value
}

function whyNotWritable(
  out: string,
  { programFolder }: Platform,
  options: ResolvedOptions,
): Diagnostic | undefined {
  try {
    const obstacle = obstacleTo(out, programFolder)
    return obstacle === undefined ? undefined : notWritable(out, obstacle, options)
  } catch (error) {
    if (!isFileError(error)) throw error
    return notWritable(out, error.message, options)
  }
}

function applicationName(root: string): string {
  const manifest = path.join(root, 'package.json')
  const { name } = (isFile(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}) as {
    name?: string
  }
  return name ?? path.basename(root)
}
