import commonjs from '@rollup/plugin-commonjs'
import inject from '@rollup/plugin-inject'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { Message } from 'esbuild'
import MagicString from 'magic-string'
import type { InputPluginOption, ModuleFormat, OutputBundle, Plugin, RollupError } from 'rollup'
import { rollup } from 'rollup'
import type { Assets } from './assets.ts'
import { sourceOf } from './assets.ts'
import { identify } from './build-id.ts'
import { locations } from './locations.ts'
import { moduleKindOf } from './module-kind.ts'
import { MAIN } from './modules.ts'
import { functionNames, hasTopLevelAwait } from './syntax/function-names.ts'
import { OWN } from './own.ts'
import type { Places } from './places.ts'
import type { Importers } from './lacks.ts'
import { compiledName, FILES } from './places.ts'
import type { MissingImport, ResolutionOptions } from './resolution.ts'
import { isRuntimeFile, logThread, resolution } from './resolution.ts'
import { replaceLiterals } from './schemas/replace.ts'
import type { Replacement } from './schemas/replace.ts'
import type { ModuleSize } from './sizes.ts'
import { modulesOf } from './sizes.ts'
import { sourceText } from './source-text.ts'
import type { Environment } from './targets/environment.ts'
import type { Platform } from './targets/platform.ts'
import { joinChunks } from './single-file.ts'

/** Typed as CommonJS, whose default export TypeScript sees one level too deep. */
const commonjsPlugin = commonjs as unknown as typeof commonjs.default
const injectPlugin = inject as unknown as typeof inject.default

export interface BundleOptions extends Omit<
  ResolutionOptions,
  'onMissing' | 'schemes' | 'environment'
> {
  readonly platform: Platform
  /** The name of the file that begins the program, without `.js`. */
  readonly main: string
  readonly places: Places
  readonly assets: Assets
  /** Whether pino is to run transports in threads of its own. */
  readonly hasTransports: boolean
  /** Modules that are loaded by names: they share a file, because one of them seldom comes alone. */
  readonly loadedByName: readonly string[]
  /** What stands for literals, by the absolute path of their file. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>
  /** The files that are written beside it, by their paths. */
  readonly beside: ReadonlyMap<string, string>
}

export interface Bundle {
  readonly format: 'cjs' | 'es'
  /** The id of what it is with the files beside it. */
  readonly build: string
  /** File name to content. */
  readonly files: OutputBundle
  /** Absolute paths. */
  readonly modules: ReadonlySet<string>
  /** What has become of them, largest first. */
  readonly sizes: readonly ModuleSize[]
  readonly missing: readonly MissingImport[]
  readonly importers: Importers
  /** Names of modules that stay outside. */
  readonly externals: ReadonlySet<string>
  /** The files of modules that are started by their paths, by these. */
  readonly started: ReadonlyMap<string, string>
}

/** What keeps a module from being bundled. */
export class BundleError extends Error {
  /** Absolute. */
  readonly file: string | undefined
  readonly line: number
  readonly column: number

  constructor({ message, id, errors = [] }: BuildError) {
    const [error] = errors
    const [first = ''] = (error?.text ?? message).split('\n')
    // File and place are shown anyway, and the plugins that rollup recommends are in use.
    super(
      first
        .replace(/^\[plugin [^\]]+\] /, '')
        .replace(/^\S+ ?\(\d+:\d+\): /, '')
        .replace(/ ?\(Note that you need plugins.*$/, '')
        .replace(/\.?\s*$/, ''),
    )
    const location = id === undefined ? undefined : error?.location
    this.file = id === undefined ? undefined : fileOf(id)
    this.line = location?.line ?? 0
    this.column = location ? location.column + 1 : 0
  }
}

/** An error of rollup, perhaps with those of esbuild: these have locations in the file, rollup's are in the transformed text. */
interface BuildError extends RollupError {
  readonly errors?: readonly Message[]
}

/**
 * Joins the application, its packages and the runtime to as few files as can be.
 *
 * @throws BundleError
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  try {
    return await join(options)
  } catch (error) {
    const { id, loc, errors } = error as BuildError
    const isOfModule = id !== undefined || loc !== undefined || errors !== undefined
    throw isOfModule ? new BundleError(error as BuildError) : error
  }
}

async function join(options: BundleOptions): Promise<Bundle> {
  const { platform, places, assets, loadedByName } = options
  const { environment, schemes } = platform
  const missing: MissingImport[] = []
  const started = new Map<string, string>()
  const importers = new Map<string, Set<string>>()
  const externals = new Set<string>()
  let format = platform.format ?? 'cjs'
  const plugins: InputPluginOption = [
    resolution({ ...options, schemes, environment, onMissing: (one) => missing.push(one) }),
    replaceModules(platform),
    replaceLiterals(options.replacements),
    sourceText(),
    locations(places, assets, options.find, options.outside),
    programs(assets, places, started),
    commonjsPlugin({
      extensions: ['.js', '.cjs', '.ts', '.cts', '.tsx', '.jsx', '.json'],
      // Each module runs when it is first required, as in Node.
      strictRequires: true,
      ignoreTryCatch: false,
      ignoreDynamicRequires: true,
      // What is required of Node stays as it is: it is loaded when it is asked for.
      ignore: environment.hasNode ? isBuiltin : () => false,
      defaultIsModuleExports: true,
      requireReturnsDefault: isRuntimeFile,
    }),
    // Of what is CommonJS it makes ES modules with imports, so it comes behind.
    Object.keys(environment.globals).length > 0 && injectPlugin({ modules: environment.globals }),
    functionNames(),
    heads(environment),
    noteImporters(importers, externals),
  ]
  const build = await rollup({
    // The runtime looks for the thread beside the file that it is in itself.
    input: { [options.main]: MAIN, ...(options.hasTransports && { 'log-thread': logThread }) },
    plugins: [
      ...plugins,
      {
        name: 'framework-format',
        moduleParsed({ id, ast }) {
          if (platform.format !== undefined) return
          if (ast && moduleKindOfId(id) === 'module' && hasTopLevelAwait(ast)) format = 'es'
        },
      },
    ],
    onwarn: () => undefined,
  })
  try {
    const output = await build.generate({
      format: format as ModuleFormat,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[hash].js',
      ...(!platform.isOneFile && {
        manualChunks: (id: string) => (loadedByName.includes(id) ? 'by-name' : undefined),
      }),
      exports: 'named',
      esModule: false,
      externalLiveBindings: false,
      interop: 'default',
      generatedCode: 'es2015',
      indent: false,
      hoistTransitiveImports: false,
      sourcemap: true,
      // Where it is built shows in nothing.
      sourcemapPathTransform: (source) => sourceName(path.resolve(source), places),
    })
    const joined = Object.fromEntries(output.output.map((one) => [one.fileName, one]))
    const sizes = modulesOf(joined, (id) => sourceName(fileOf(id), places))
    const files = platform.isOneFile ? await joinChunks(joined, `${options.main}.js`) : joined
    const id = identify(files, [...options.beside].flat())
    const modules = new Set(
      output.output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds.map(fileOf) : [])),
    )
    return { format, build: id, files, modules, sizes, missing, importers, externals, started }
  } finally {
    await build.close()
  }
}

/** How source maps call a module. */
function sourceName(file: string, places: Places): string {
  const at = file.indexOf(OWN)
  const own = at === -1 ? undefined : file.slice(at + OWN.length).split('/')[0]
  if (own !== undefined) return `node_modules/framework/deploy/${own}`
  if (isRuntimeFile(file)) return `node_modules/framework/${path.basename(file)}`
  return path.posix.relative(FILES, places.of(file))
}

function fileOf(id: string): string {
  return id.replace(/^\0/, '').replace(/\?.*$/, '')
}

function moduleKindOfId(id: string): string {
  if (id.startsWith(OWN) || id.includes('\0') || id.includes('?')) return 'own'
  return moduleKindOf(id)
}

/** Of the modules that are in the bundle, and of those that it imports; not what `import()` loads. */
function noteImporters(importers: Map<string, Set<string>>, externals: Set<string>): Plugin {
  return {
    name: 'framework-importers',
    generateBundle(_, files) {
      const chunks = Object.values(files).filter((file) => file.type === 'chunk')
      const included = new Set(chunks.flatMap(({ moduleIds }) => moduleIds))
      for (const id of included) {
        for (const target of this.getModuleInfo(id)?.importedIds ?? []) {
          const isExternal = this.getModuleInfo(target)?.isExternal === true
          const [from, to] = [fileOf(id), fileOf(target)]
          if (isExternal) externals.add(to)
          else if (!included.has(target) || from === to) continue
          const known = importers.get(to)
          if (known === undefined) importers.set(to, new Set([from]))
          else known.add(from)
        }
      }
    },
  }
}

/** Gives other modules for those that do not work on the platform. */
function replaceModules({ instead }: Platform): Plugin {
  const ends = Object.entries(instead)
  return {
    name: 'framework-instead',
    load(id) {
      const file = id.replaceAll('\\', '/')
      return ends.find(([end]) => file.endsWith(end))?.[1] ?? null
    },
  }
}

/** Modules that are started by their paths become files of their own. */
function programs(assets: Assets, places: Places, started: Map<string, string>): Plugin {
  return {
    name: 'framework-programs',
    moduleParsed() {
      for (const target of assets.programs) {
        const source = sourceOf(target)
        if (source === undefined || started.has(target)) continue
        const fileName = `${compiledName(places.of(target)).replace(/\W+/g, '-')}.js`
        this.emitFile({ type: 'chunk', id: source, fileName })
        started.set(target, fileName)
      }
    },
  }
}

/** Puts in front of a file what it uses without declaring it. */
function heads({ head }: Environment): Plugin {
  return {
    name: 'framework-heads',
    renderChunk(code, { fileName }, { format }) {
      const up = path.posix.relative(path.posix.dirname(fileName), '.')
      const given = head({ code, format: format as 'cjs' | 'es', up })
      if (given === '') return null
      const text = new MagicString(code)
      // Behind it, `'use strict'` would say nothing.
      text.appendLeft(/^(['"])use strict\1;/.exec(code)?.[0].length ?? 0, given)
      return { code: text.toString(), map: text.generateMap({ hires: true }) }
    },
  }
}
