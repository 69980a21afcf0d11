/** `framework deploy`: turns an application into a folder that a platform can start without installing anything. */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { compileBooting } from '../build.ts'
import { openBuildCaches } from '../cache/build-caches.ts'
import { cacheFor } from '../cache/index.ts'
import type { CompiledArtifact, CompileResult } from '../result.ts'
import type { Diagnostic, OnPhase, ResolvedOptions } from '../model/index.ts'
import { resolveOptions } from '../options.ts'
import { diagnostic } from '../report/errors.ts'
import { replaceOwnFile, writeWhole } from '../util/atomic-write.ts'
import { runtimeFor } from '../servers/detect.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath, makeFolder } from '../util/paths.ts'
import { isFileError } from '../util/source-files.ts'
import type { Cost } from './analysis/costs.ts'
import { costsOf } from './analysis/costs.ts'
import { bundleApplication } from './bundle-application.ts'
import { DeployError, wholeFile } from './deploy-error.ts'
import type { DeployOptions } from './options.ts'
import { OutputFolder } from './output/folder.ts'
import { writeProgram } from './output/program.ts'
import type { Sizes } from './sizes.ts'
import { sizesOf } from './sizes.ts'
import {
  fillCompileCache,
  isPortable,
  nodeForCache,
  writeCachedMain,
} from './start/compile-cache.ts'
import { platforms } from './targets/index.ts'
import { findUnsupported } from './unsupported.ts'
import { canLoadLate } from './virtual-modules.ts'
import { refusedAtStart } from './refused-at-start.ts'
import { leftOutWarnings, warningsOf } from './warnings.ts'

export type { DeployOptions } from './options.ts'
export { targets } from './targets/index.ts'
export type { Target } from './targets/index.ts'

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
  /** Modules that name files beside them, or above, by names that the build doesn't know. */
  readonly unknownFiles: readonly string[]
  /** The installed Fastify that the deployment replaces, with its version. */
  readonly replaces: string | undefined
  /** Written with `analyze`: the page, and what a start costs, if the deployment is for Node. */
  readonly analysis:
    | { readonly page: string; readonly costs: readonly Cost[] | undefined }
    | undefined
}

export interface DeployResult extends Omit<CompileResult, 'artifact'> {
  readonly deployment: Deployment | undefined
}

/** Deployments run on this package's own runtime, which has no line for Fastify 4.29. */
function compileOptions(deployOptions: DeployOptions): ResolvedOptions {
  const options = resolveOptions({ ...deployOptions, out: undefined })
  const line = options.line === 'fastify@5' ? options.line : 'framework'
  return { ...options, line, serializers: { as: line }, factory: runtimeFor(line) }
}

/** Returns the Fastify that the application imports, if it is installed and nothing has replaced it yet. */
function replacedFastify({ server }: ResolvedOptions): string | undefined {
  return server?.name.startsWith('fastify ') && !server.isMissing ? server.name : undefined
}

export async function deploy(
  deployOptions: DeployOptions,
  onPhase: OnPhase = () => undefined,
): Promise<DeployResult> {
  const options = compileOptions(deployOptions)
  const cache = cacheFor(options)
  const caches = cache && openBuildCaches(cache)
  const state = { caches, deploys: true }
  const { artifact, ...result } = await compileBooting(options, onPhase, state)
  await caches?.save()
  // A bundle contains imported JSON, however it is imported.
  const warnings = result.warnings.filter(({ code }) => code !== 'AOT_JSON_WITHOUT_TYPE')
  const compiled = { ...result, warnings, deployment: undefined }
  if (artifact === undefined) return compiled
  try {
    const deployment = await writeDeployment(artifact, deployOptions, options, warnings, onPhase)
    return { ...compiled, deployment }
  } catch (error) {
    if (error instanceof DeployError) return { ...compiled, diagnostics: error.problems }
    throw error
  }
}

/** Bundles and writes an application. @throws DeployError */
async function writeDeployment(
  artifact: CompiledArtifact,
  deployOptions: DeployOptions,
  options: ResolvedOptions,
  warnings: Diagnostic[],
  onPhase: OnPhase,
): Promise<Deployment> {
  const { target, analyze, user } = deployOptions
  const { root } = options
  const include = (deployOptions.include ?? []).map((one) => path.resolve(one))
  const missing = include.filter((one) => !existsSync(one))
  if (missing.length > 0)
    throw new DeployError(
      ...missing.map((one) =>
        diagnostic('AOT_FILE_NOT_FOUND', wholeFile(one, root), displayPath(one, root), true),
      ),
    )
  const platform = platforms[target]
  const out = path.resolve(
    deployOptions.out ?? path.join(root, platform.out ?? `.framework/deploy/${target}`),
  )
  const output = new OutputFolder(out, root, platform.programFolder)
  const node = deployOptions.compileCache ? nodeForCache(deployOptions) : undefined
  const main = node === undefined ? 'index' : 'main'
  // Checked before bundling, which takes longer, and again before writing.
  refuse(output.obstacle())
  onPhase('join')
  const place = path.join(out, platform.programFolder ?? '')
  const program = await bundleApplication(artifact, platform, main, place, deployOptions, options)
  const { bundled, functions, assets } = program
  const unsupported = findUnsupported(target, artifact, program, options)
  const { lateBoot: bootsLate = false } = deployOptions
  const start = {
    canLoadLate: canLoadLate(artifact, target),
    isEntryMoved: bundled.isEntryMoved,
    bootsLate,
  }
  const awaitsAtStart = bootsLate && !start.canLoadLate
  warnings.push(...unsupported.warnings, ...warningsOf(program, root, awaitsAtStart))
  if (platform.refusesAtStart)
    warnings.push(...refusedAtStart(artifact.callsAtStart, options, start))
  if (unsupported.problems.length > 0) throw new DeployError(...unsupported.problems)
  onPhase('write')
  const folder = output.temporary
  try {
    output.restore()
    refuse(output.obstacle())
    rmSync(folder, { recursive: true, force: true })
    makeFolder(folder)
    const { modules, ...sizes } = sizesOf(bundled.files, functions, bundled.sizes)
    const { name = path.basename(root) } = packageJsonIn(root)
    const { leftOut, ...copied } = writeProgram(
      folder,
      program,
      platform,
      name,
      include,
      sizes.files,
      { root, out },
    )
    if (node !== undefined) {
      onPhase('start')
      writeCachedMain(folder, `${main}.js`, bundled)
      await fillCompileCache(folder, node, user, options)
    }
    if (analyze !== undefined) onPhase('start')
    const costs =
      analyze && target === 'node' ? await costsOf(folder, deployOptions, options) : undefined
    const page = `${out}.html`
    if (analyze !== undefined) {
      const text = analyze.analysisPage(name, modules, costs)
      const problem = replaceOwnFile(page, text, displayPath(page, root), analyze.isPage)
      if (problem !== undefined) throw new DeployError(problem)
    }
    refuse(output.replace())
    for (const [file, text] of Object.entries(platform.projectFiles?.(root, out) ?? {}))
      writeWhole(path.join(root, file), text)
    warnings.push(...leftOutWarnings(leftOut, assets, include, root))
    // Entries of the cache contain paths, so fill it again where the deployment is now. If that fails, it starts without the cache.
    if (node !== undefined && !isPortable(node)) {
      await fillCompileCache(out, node, user, options).catch((error: unknown) => {
        if (!(error instanceof DeployError)) throw error
        warnings.push(...error.problems)
      })
    }
    return {
      out,
      start: platform.startCommand(
        [...(node?.flags ?? []), path.relative(process.cwd(), out) || '.'].join(' '),
      ),
      ...sizes,
      ...copied,
      unknownNames: [...assets.unknownNames].map((file) => displayPath(file, root)).sort(),
      unknownFiles: [...assets.unknownFiles].map((file) => displayPath(file, root)).sort(),
      replaces: replacedFastify(options),
      analysis: analyze ? { page, costs } : undefined,
    }
  } catch (error) {
    if (isFileError(error)) refuse(error.message)
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  function refuse(reason: string | undefined): void {
    if (reason === undefined) return
    const at = wholeFile(out, root)
    throw new DeployError(diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, at.file, reason))
  }
}
