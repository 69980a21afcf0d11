import commonjs from '@rollup/plugin-commonjs'
import inject from '@rollup/plugin-inject'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { InputPluginOption, OutputBundle, Plugin } from 'rollup'
import { rollup } from 'rollup'
import type { ModuleSize } from '../sizes.ts'
import { moduleSizes } from '../sizes.ts'
import type { Assets } from '../assets.ts'
import { sourceOf } from '../assets.ts'
import type { DeploymentPaths } from '../deployment-paths.ts'
import { compiledName, FILES } from '../deployment-paths.ts'
import { isNodeModule } from '../../util/module-kind.ts'
import type { Replacement } from '../schemas/replace.ts'
import { replaceLiterals } from '../schemas/replace.ts'
import type { Platform } from '../targets/platform.ts'
import { MAIN, VIRTUAL } from '../virtual.ts'
import { bundleProblem, fileOf } from './bundle-problem.ts'
import { entryFunction } from './entry-function.ts'
import { isRuntimeFile, logThread, runtimeEntry } from './find-module.ts'
import { functionNames } from './function-names.ts'
import type { Observed } from './observe.ts'
import { observe } from './observe.ts'
import { transports } from './transports.ts'
import { moduleTypes } from './module-types.ts'
import { locations } from './locations.ts'
import type { MissingImport, ResolutionOptions } from './resolution.ts'
import { resolution } from './resolution.ts'
import { joinChunks } from './single-file.ts'
import { transpile } from './transpile.ts'

/** The types of these plugins are for CommonJS modules: TypeScript sees the default export one level too deep. */
const commonjsPlugin = commonjs as typeof commonjs & typeof commonjs.default
const injectPlugin = inject as typeof inject & typeof inject.default

export interface BundleOptions extends Omit<ResolutionOptions, 'onMissing'> {
  /** Name of the main file, without `.js`. */
  readonly main: string
  /** The file of the application that starts it. */
  readonly entry: string
  readonly startsItself: boolean
  /** Classes and objects that it exports. */
  readonly exports: readonly string[]
  readonly paths: DeploymentPaths
  /** The path from the program to the project; `undefined` if it would show where the deployment was made. */
  readonly toProject: string | undefined
  /** Bundles the program of the threads of pino's transports. */
  readonly hasTransports: boolean
  /** Modules that are loaded by computed names. They share a chunk, because most applications load all of them. */
  readonly loadedByName: readonly string[]
  /** Replacements of schema literals, by absolute file. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>
}

export interface Bundle extends Observed {
  /** The statements of the entry are in a function, which runs late if the application boots late. */
  readonly isEntryMoved: boolean
  readonly format: 'cjs' | 'es'
  readonly files: OutputBundle
  /** Absolute paths of the bundled modules. */
  readonly modules: ReadonlySet<string>
  readonly sizes: readonly ModuleSize[]
  readonly missing: readonly MissingImport[]
  /** By the paths of the modules that are started as threads or processes. */
  readonly programs: ReadonlyMap<string, BundledProgram>
}

interface BundledProgram {
  /** Its name in the bundle. */
  readonly file: string
  readonly exports: readonly string[]
}

/**
 * Bundles the application, its packages and the runtime.
 *
 * @throws DeployError
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  try {
    return await runRollup(options)
  } catch (error) {
    throw bundleProblem(error, options.entry, options.paths.root)
  }
}

async function runRollup(options: BundleOptions): Promise<Bundle> {
  const { platform, paths, assets, loadedByName, toProject = '' } = options
  const { environment } = platform
  const missing: MissingImport[] = []
  const programs = new Map<string, BundledProgram>()
  let isEntryMoved = false
  const observed: Observed = { importers: new Map(), externals: new Set(), asyncModules: [] }
  const plugins: InputPluginOption = [
    platform.importsFiles === true && moduleTypes(options.find),
    resolution({ ...options, onMissing: (one) => missing.push(one) }),
    replaceModules(platform),
    replaceLiterals(options.replacements),
    transpile(options.startsItself ? options.entry : undefined),
    locations(options, assets),
    ...(options.hasTransports ? [transports(options.external)] : []),
    emitPrograms(assets, paths, programs),
    commonjsPlugin({
      extensions: ['.js', '.cjs', '.ts', '.cts', '.tsx', '.jsx', '.json'],
      // As in Node, a module runs when it's first required.
      strictRequires: true,
      ignoreTryCatch: false,
      ignoreDynamicRequires: true,
      // Keeps `require` of Node's modules, which loads them on demand.
      ignore: environment.hasNode ? isNodeModule : () => false,
      defaultIsModuleExports: true,
      // The factory, or the functions of `framework/lambda` and `framework/fetch`.
      requireReturnsDefault: (id) => (isRuntimeFile(id) ? 'preferred' : false),
    }),
    // Runs after CommonJS modules have become ES modules, because it adds imports.
    Object.keys(environment.globals).length > 0 && injectPlugin({ modules: environment.globals }),
    functionNames(),
    platform.runsEntry === true &&
      entryFunction(options.entry, options.exports, () => (isEntryMoved = true)),
    observe(observed, assets.required),
  ]
  const build = await rollup({
    // The runtime looks for `log-thread.js` beside its own file.
    input: { [options.main]: MAIN, ...(options.hasTransports && { 'log-thread': logThread }) },
    plugins,
    onwarn: () => undefined,
  })
  try {
    const format = platform.format ?? (observed.asyncModules.length > 0 ? 'es' : 'cjs')
    const { output } = await build.generate({
      format,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[hash].js',
      ...(!platform.isOneFile && {
        manualChunks: (id: string) => (loadedByName.includes(id) ? 'by-name' : undefined),
      }),
      intro: ({ modules }) => {
        const code = Object.values(modules).map((module) => module.code ?? '')
        return environment.intro(code.join('\n'), format)
      },
      exports: 'named',
      esModule: false,
      externalLiveBindings: false,
      interop: 'default',
      generatedCode: 'es2015',
      indent: false,
      hoistTransitiveImports: false,
      sourcemap: true,
      sourcemapPathTransform: (source) => toProject + nameInSourceMap(path.resolve(source), paths),
    })
    const chunks = output.filter((file) => file.type === 'chunk')
    const byName = Object.fromEntries(output.map((file) => [file.fileName, file]))
    const files = platform.isOneFile ? await joinChunks(byName, `${options.main}.js`) : byName
    return {
      format,
      files,
      modules: new Set(chunks.flatMap(({ moduleIds }) => moduleIds.map(fileOf))),
      sizes: moduleSizes(chunks, (id) => nameInSourceMap(fileOf(id), paths)),
      missing,
      programs,
      isEntryMoved,
      ...observed,
    }
  } finally {
    await build.close()
  }
}

function nameInSourceMap(file: string, paths: DeploymentPaths): string {
  const at = file.indexOf(VIRTUAL)
  if (at !== -1) {
    return `node_modules/framework/deploy/${file.slice(at + VIRTUAL.length).replace(/\/.*/, '')}`
  }
  if (isRuntimeFile(file)) {
    const inside = path.relative(path.dirname(runtimeEntry), file).split(path.sep)
    return path.posix.join('node_modules/framework/dist', ...inside)
  }
  return path.posix.relative(FILES, paths.of(file))
}

/** Replaces modules that don't work on the platform. */
function replaceModules({ replacedModules = {} }: Platform): Plugin {
  const ends = Object.entries(replacedModules)
  return {
    name: 'framework-replace-modules',
    load(id) {
      const file = id.replaceAll('\\', '/')
      const [, code] = ends.find(([end]) => file.endsWith(end)) ?? []
      return typeof code === 'function' ? code(readFileSync(id, 'utf8')) : code
    },
  }
}

/** Emits modules that are started as threads or processes as separate files. */
function emitPrograms(
  assets: Assets,
  paths: DeploymentPaths,
  programs: Map<string, BundledProgram>,
): Plugin {
  const references = new Map<string, string>()
  return {
    name: 'framework-programs',
    moduleParsed() {
      for (const target of assets.programs) {
        const source = sourceOf(target)
        if (source === undefined || references.has(target)) continue
        const name = compiledName(paths.of(target)).replace(/\W+/g, '-')
        references.set(target, this.emitFile({ type: 'chunk', id: source, name }))
      }
    },
    generateBundle(_, files) {
      for (const [target, one] of references) {
        const file = this.getFileName(one)
        const chunk = files[file]
        programs.set(target, { file, exports: chunk?.type === 'chunk' ? chunk.exports : [] })
      }
    },
  }
}
