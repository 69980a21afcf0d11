/** Turns an application into a folder that a platform starts as it lies there. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildMark } from '../../runtime/artifact/files/build-mark.ts'
import { VERSION } from '../../runtime/artifact/version.ts'
import { cachesFor } from '../build.ts'
import type { CompileResult, OnPhase } from '../compile.ts'
import { compile } from '../compile.ts'
import type { ApplicationStart, Diagnostic, ResolvedOptions } from '../model/index.ts'
import type { BuildOptions } from '../options.ts'
import { displayPath, isFile } from '../util/paths.ts'
import { isFileError } from '../util/source-files.ts'
import type { WrittenAnalysis } from './analysis/index.ts'
import { costsOf, writeAnalysis } from './analysis/index.ts'
import { copyAssets, createAssets } from './assets.ts'
import type { Bundle } from './bundle.ts'
import { bundle, BundleError } from './bundle.ts'
import { findLacks } from './lacks.ts'
import { deploymentNotices, LICENSES } from './licenses.ts'
import { bundleFails, missingImport, notWritable, otherServer, missingFiles } from './problems.ts'
import { ownModules } from './modules.ts'
import { functionsModule } from './functions.ts'
import { createOutside } from './outside.ts'
import { createPlaces, MAIN_FILE } from './places.ts'
import { createFinder } from './resolution.ts'
import type { Sizes } from './sizes.ts'
import { sizesOf } from './sizes.ts'
import { stripSchemas } from './schemas/index.ts'
import { schemasModule } from './schemas/module.ts'
import { findsModules } from './targets/folders.ts'
import type { Target } from './targets/index.ts'
import { platforms } from './targets/index.ts'
import type { Platform } from './targets/platform.ts'
import type { FasterStart } from './start/index.ts'
import { createStart, isProblem } from './start/index.ts'
import { copyPackages, obstacleTo, replaceFolder, restore, temporaryFolder } from './write.ts'

export { targets } from './targets/index.ts'
export type { Target } from './targets/index.ts'

export interface DeployOptions extends Omit<BuildOptions, 'line'>, FasterStart {
  readonly target: Target
  /** The folder that is written. Default `.framework/deploy/<target>`, beside the application's package.json. */
  readonly out?: string | undefined
  /** Names of packages that are copied instead of being bundled. */
  readonly external?: readonly string[] | undefined
  /** Files and folders that come along. */
  readonly include?: readonly string[] | undefined
  /** Packages that the runtime loads on demand, where nothing in the source tells that they are needed. */
  readonly with?: readonly string[] | undefined
  /** Whether schemas stay in the application as they are written. */
  readonly keepSchemas?: boolean | undefined
  /** From so many bytes of compiled functions on, they are loaded when they are needed, where that can be. */
  readonly filesFrom?: number | undefined
  /** Boots a Worker for its first request, and not when it starts. */
  readonly lateBoot?: boolean | undefined
  /** Measures what the start costs, and writes a page about it and the code beside the deployment. */
  readonly analyze?: boolean | undefined
}

/** What was deployed. */
export interface Deployment extends Sizes {
  /** Its folder. */
  readonly out: string
  /** How to start it: a command, for the working directory of the deployment. */
  readonly start: string
  /** Packages that were copied. */
  readonly packages: readonly string[]
  /** Files that the application reads. */
  readonly assets: readonly string[]
  /** Modules that load others by names that are not written down. */
  readonly unknownNames: readonly string[]
  /** What was asked for with `analyze`: the page, and what it shows. */
  readonly analysis: WrittenAnalysis | undefined
}

export interface DeployResult extends Omit<CompileResult, 'artifact'> {
  readonly deployment: Deployment | undefined
}

export async function deploy(
  {
    target,
    out: given,
    external = [],
    include = [],
    with: wanted = [],
    keepSchemas = false,
    filesFrom,
    lateBoot = false,
    ...rest
  }: DeployOptions,
  onPhase: OnPhase = () => undefined,
): Promise<DeployResult> {
  // A deployment brings its server along.
  const buildOptions: BuildOptions = { ...rest, line: 'framework' }
  const caches = cachesFor(buildOptions)
  const { artifact, ...compiled } = await compile(buildOptions, onPhase, { caches })
  caches?.save()
  if (artifact === undefined) return { ...compiled, deployment: undefined }
  let told = compiled
  const { options } = told
  const failed = (...problems: readonly Diagnostic[]): DeployResult => ({
    ...told,
    diagnostics: problems,
    deployment: undefined,
  })
  const start = createStart(rest, options)
  if (isProblem(start)) return failed(start)
  const { graph } = artifact
  const platform: Platform = platforms[target]
  const out = path.resolve(
    given ?? path.join(options.root, platform.out ?? `.framework/deploy/${target}`),
  )
  const refusal = whyNotWritten(out, platform.program, options)
  if (refusal !== undefined) return failed(refusal)
  const places = createPlaces(options.root)
  const names = graph?.names ?? unknownNames
  // A transport is loaded by its name, in a thread that starts from a file of pino.
  const hasTransports = platform.isSystem && names.has('logger') && names.has('transport')
  const outside = createOutside([...external, ...(hasTransports ? ['pino'] : [])], options.root)
  const assets = createAssets()
  for (const one of include) assets.paths.add(path.resolve(one))
  const loadedByName = graph?.loadedByName ?? []
  // Who asks for the application to be booted does so because its source does not tell all.
  const allLoadedByName = rest.trace ? undefined : graph?.loadedByName
  const stripped = stripSchemas(keepSchemas ? [] : (graph?.literals() ?? []), {
    routes: artifact.routes,
    digests: artifact.output.digests,
    jsonShorthand: artifact.tree.options.jsonShorthand,
    settings: { texts: artifact.settings.texts, contexts: artifact.settings.contexts },
  })
  const { apart } = platform
  const functions = functionsModule(artifact, apart, filesFrom)
  const schemas = schemasModule(stripped, functions.files.size > 0 ? apart : undefined)
  const files = new Map([...functions.files, ...schemas.files])
  onPhase('join')
  const heads = ['index.mjs', 'register.js', 'worker.mjs']
  const artifactFiles = new Set(heads.map((head) => path.join(options.out, head)))
  const bundleApplication = async (): Promise<Bundle | Diagnostic> => {
    const own = ownModules({
      platform,
      entry: options.entry,
      start: graph?.start ?? runsByItself,
      exports: graph?.exports ?? [],
      bootsLate: lateBoot,
      artifact: functions.code,
      names,
      wanted,
      outside,
      loadedByName,
      allLoadedByName,
      places,
      command: `framework deploy ${displayPath(options.entry, options.root)} --target ${target}`,
      schemas: schemas.code,
    })
    try {
      return await bundle({
        main: start.main,
        find: createFinder(platform),
        platform,
        own,
        outside,
        artifactFiles,
        places,
        assets,
        hasTransports,
        loadedByName,
        replacements: stripped.replacements,
        beside: files,
      })
    } catch (error) {
      if (error instanceof BundleError) return bundleFails(error, options)
      throw error
    }
  }
  const bundled = await bundleApplication()
  if ('code' in bundled) return failed(bundled)
  if (bundled.missing.length > 0) {
    return failed(...bundled.missing.map((one) => missingImport(one, options)))
  }
  const { importers, externals } = bundled
  const lacks = findLacks({
    target,
    platform,
    start: graph?.start ?? runsByItself,
    importers,
    externals,
    programs: assets.programs,
    root: options.root,
  })
  const missing = missingFiles(assets.missing, options)
  told = {
    ...told,
    warnings: [...told.warnings, ...otherServer(options), ...lacks.warnings, ...missing],
  }
  if (lacks.problems.length > 0) return failed(...lacks.problems)
  onPhase('write')
  const folder = temporaryFolder(out)
  const program = path.join(folder, platform.program ?? '')
  try {
    restore(out)
    // The folder was looked at before, so that nobody waits in vain; what has come into it since stays as well.
    const refusalNow = whyNotWritten(out, platform.program, options)
    if (refusalNow !== undefined) return failed(refusalNow)
    rmSync(folder, { recursive: true, force: true })
    writeBundle(bundled, program)
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(program, name)), { recursive: true })
      writeFileSync(path.join(program, name), text + buildMark(bundled.build))
    }
    writeFileSync(path.join(program, LICENSES), deploymentNotices(bundled.modules))
    const packages = copyPackages(outside.packages.values(), program)
    const copied = copyAssets(assets, {
      places,
      modules: bundled.modules,
      started: bundled.started,
      out: program,
      hasFolders: platform.environment.hasNode,
    })
    const { modules, ...sizes } = sizesOf(bundled.files, functions.files, bundled.sizes)
    const late = platform.apart === 'modules' ? [...files.keys()] : []
    const code = [...new Set([...sizes.files, ...late])].sort()
    const contents = { name: nameOf(options.root), code, late, assets: copied }
    for (const [name, text] of Object.entries(platform.settings(contents))) {
      writeFileSync(path.join(folder, name), text)
    }
    if (rest.compileCache) onPhase('start')
    const problem = await start.prepare(folder, bundled)
    if (problem !== undefined) return failed(problem)
    if (rest.analyze) onPhase('start')
    const costs =
      rest.analyze && target === 'node' ? await costsOf(folder, rest, options) : undefined
    if (costs !== undefined && 'code' in costs) return failed(costs)
    replaceFolder(folder, out)
    const { name } = contents
    const analysis = rest.analyze
      ? writeAnalysis(`${out}.html`, { name, modules, costs })
      : undefined
    const warning = await start.finish(out)
    return {
      ...told,
      warnings: warning === undefined ? told.warnings : [...told.warnings, warning],
      deployment: {
        out,
        start: start.command(platform, path.relative(process.cwd(), out) || '.'),
        ...sizes,
        packages: packages.map((file) => displayPath(file, path.join(program, 'node_modules'))),
        assets: copied,
        unknownNames: [...assets.unknownNames]
          .filter((file) => !findsModules(file))
          .map((file) => displayPath(file, options.root))
          .sort(),
        analysis,
      },
    }
  } catch (error) {
    if (!isFileError(error)) throw error
    return failed(notWritable(out, error.message, options))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function whyNotWritten(
  out: string,
  program: string | undefined,
  options: ResolvedOptions,
): Diagnostic | undefined {
  try {
    const obstacle = obstacleTo(out, program)
    return obstacle === undefined ? undefined : notWritable(out, obstacle, options)
  } catch (error) {
    if (!isFileError(error)) throw error
    return notWritable(out, error.message, options)
  }
}

/** What the application is called. */
function nameOf(root: string): string {
  const manifest = path.join(root, 'package.json')
  const { name } = (isFile(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}) as {
    name?: string
  }
  return name ?? path.basename(root)
}

/** Of an application whose source does not tell how it starts. */
const runsByItself: ApplicationStart = { kind: 'itself' }

/** Of an application whose source does not tell: whatever may be needed comes along. */
const unknownNames: ReadonlySet<string> = new Set(['inject', 'logger', 'transport', 'trustProxy'])

function writeBundle({ format, build, files }: Bundle, folder: string): void {
  for (const [name, file] of Object.entries(files)) {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, file.type === 'chunk' ? file.code : file.source)
  }
  const type = format === 'cjs' ? 'commonjs' : 'module'
  const manifest = { private: true, type, main: MAIN_FILE, framework: VERSION, build }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`)
}
