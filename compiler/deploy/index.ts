/** `framework deploy`: turns an application into a folder that a platform can start without installing anything. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Line } from '../../runtime/artifact/lines.ts'
import { cachesFor } from '../build.ts'
import type { CompileResult, OnPhase } from '../compile.ts'
import { compile } from '../compile.ts'
import type { Diagnostic, ResolvedOptions } from '../model/index.ts'
import { resolveOptions, type BuildOptions } from '../options.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath } from '../util/paths.ts'
import { isFileError } from '../util/source-files.ts'
import type { WrittenAnalysis } from './analysis/index.ts'
import { costsOf, writeAnalysis } from './analysis/index.ts'
import { bundleApplication, startOf } from './bundle-application.ts'
import type { DeployOptions } from './options.ts'
import {
  keepOthers,
  listFiles,
  obstacleTo,
  replaceFolder,
  restore,
  temporaryFolder,
} from './output/folder.ts'
import { modulesWithKeys } from './output/left-out.ts'
import { writeProgram } from './output/program.ts'
import {
  bundledKeys,
  filesLeftOut,
  missingFiles,
  missingImport,
  missingTransports,
  notWritable,
  waitingModules,
} from './problems.ts'
import type { Sizes } from './sizes.ts'
import { sizesOf } from './sizes.ts'
import {
  fillCompileCache,
  isPortable,
  nodeForCache,
  writeCachedMain,
} from './start/compile-cache.ts'
import { platforms } from './targets/index.ts'
import { usesListedFolders } from './targets/listed-folders.ts'
import type { Platform } from './targets/platform.ts'
import { findUnsupported } from './unsupported.ts'

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
  /** The Fastify that the application imports, with its version, and that the deployment replaces. */
  readonly replaces: string | undefined
  /** Written with `analyze`. */
  readonly analysis: WrittenAnalysis | undefined
}

export interface DeployResult extends Omit<CompileResult, 'artifact'> {
  readonly deployment: Deployment | undefined
}

/** Deployments run on this package's own runtime, which has no line for Fastify 4.29. */
function deployedLine(options: DeployOptions): Line {
  const { line } = resolveOptions(options)
  return line === 'fastify@5' ? line : 'framework'
}

/** The name of Fastify also stands for `framework` if that is installed under it: then nothing is replaced. */
function replacedBy({ server }: ResolvedOptions): string | undefined {
  return server?.name.startsWith('fastify ') && !server.isMissing ? server.name : undefined
}

export async function deploy(
  deployOptions: DeployOptions,
  onPhase: OnPhase = () => undefined,
): Promise<DeployResult> {
  const { target, out: givenOut, analyze = false, compileCache = false, user } = deployOptions
  const buildOptions: BuildOptions = {
    ...deployOptions,
    out: undefined,
    line: deployedLine(deployOptions),
  }
  const caches = cachesFor(buildOptions)
  const { artifact, ...result } = await compile(buildOptions, onPhase, {
    caches,
    deploys: true,
  })
  await caches?.save()
  const { options } = result
  // A bundle contains imported JSON, however it is imported.
  const warnings = result.warnings.filter(({ code }) => code !== 'AOT_JSON_WITHOUT_TYPE')
  const compiled = { ...result, warnings }
  if (artifact === undefined) return { ...compiled, deployment: undefined }
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
  const { bundled, functions, assets, external } = program
  if (bundled.missing.length > 0) {
    return failed(...bundled.missing.map((one) => missingImport(one, options)))
  }
  const unsupported = findUnsupported({
    target,
    platform,
    start: startOf(artifact),
    entry: options.entry,
    handlers: artifact.graph?.handlers ?? [],
    importers: bundled.importers,
    externals: bundled.externals,
    programs: assets.programs,
    root: options.root,
  })
  const allWarnings = [
    ...warnings,
    ...unsupported.warnings,
    ...missingFiles(assets.missing, options),
    ...missingTransports(external.missing, options),
    ...(deployOptions.lateBoot === true ? waitingModules(bundled.waiting, options) : []),
    ...bundledKeys(modulesWithKeys(bundled.modules), options),
  ]
  const failedLate = (...problems: readonly Diagnostic[]): DeployResult => ({
    ...failed(...problems),
    warnings: allWarnings,
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
    const { name = path.basename(options.root) } = packageJsonIn(options.root)
    const { leftOut, ...copied } = writeProgram(folder, {
      ...program,
      platform,
      applicationName: name,
      include: (deployOptions.include ?? []).map((one) => path.resolve(one)),
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
    listFiles(folder, platform.programFolder)
    const lost = keepOthers(out, folder, platform.programFolder)
    if (lost !== undefined) {
      const reason = `it contains "${lost}", which no deployment has written and this one would replace`
      return failedLate(notWritable(out, reason, options))
    }
    replaceFolder(folder, out)
    const analysis = analyze ? writeAnalysis(`${out}.html`, { name, modules, costs }) : undefined
    const cacheProblem =
      node === undefined || isPortable(node)
        ? undefined
        : await fillCompileCache(out, node, user, options)
    const flags = node?.flags ?? []
    const late = [...filesLeftOut(leftOut, options), ...(cacheProblem ? [cacheProblem] : [])]
    return {
      ...compiled,
      warnings: [...allWarnings, ...late],
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
        replaces: replacedBy(options),
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
