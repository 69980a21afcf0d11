/** `@framework/compiler/vite`: builds the artifact while Vite serves, builds or tests an application. */
import path from 'node:path'
import type {
  EnvironmentModuleGraph,
  EnvironmentModuleNode,
  Plugin,
  UserConfig,
  ViteDevServer,
} from 'vite'
import type { BuildResult } from '../../compiler/build.ts'
import { resolveOptions, type BuildOptions } from '../../compiler/options.ts'
import { isPackageFile } from '../../compiler/util/paths.ts'
import { Builds } from './builds.ts'
import { problemOf } from './problem.ts'
import { applicationHandler, register } from './serve.ts'
import { beforeModules } from './before-modules.ts'

/** Options of the plugin: those of `build`, with paths relative to Vite's root, and `serve`. */
export interface FrameworkPluginOptions extends BuildOptions {
  /**
   * Runs the application in Vite's Node environment under `vite dev`, and passes the requests to it that Vite doesn't answer itself.
   * Default `true`, but `false` with `@cloudflare/vite-plugin`, which runs it in a Worker, and in Vitest.
   */
  serve?: boolean
}

const ARTIFACT = 'virtual:framework/artifact'
const RESOLVED = `\0${ARTIFACT}`

/**
 * Builds the artifact of an application before Vite loads it, and again when one of its files changes. A problem of the build is shown as
 * Vite shows errors: in the terminal, and in the overlay with its code frame.
 *
 * The module `virtual:framework/artifact` has the artifact as its default export, for `aot: { artifact }`. On Node, the application gets it
 * without that.
 */
export default function framework({ serve, ...build }: FrameworkPluginOptions): Plugin {
  let builds: Builds
  let out: string
  let isServed: boolean
  let isServer: boolean
  let watcher: ViteDevServer['watcher'] | undefined
  /** Files of the last build. */
  let read: ReadonlySet<string> = new Set()

  return {
    name: 'framework',
    enforce: 'pre',
    config(config, { command }) {
      const root = path.resolve(config.root ?? '.')
      const options: BuildOptions = {
        // As `framework dev`: a boot for each change would cost more than it finds.
        ...(command === 'serve' && { boot: 'whenNeeded' }),
        ...build,
        entry: path.resolve(root, build.entry),
        ...(build.out !== undefined && { out: path.resolve(root, build.out) }),
      }
      out = resolveOptions(options).out
      isServer = command === 'serve'
      isServed = isServer && (serve ?? !runsElsewhere(config))
      builds = new Builds(options, async (result) => {
        read = new Set(result.read)
        // Vite itself watches its root, and the modules that it loads.
        watcher?.add(result.read.filter((file) => !isPackageFile(file)))
        if (isServed) await register(result)
      })
      return {
        // Vite answers what it has an HTML file for.
        ...(isServed && config.appType === undefined && { appType: 'mpa' as const }),
        // A linked package would be copied, with the application's factory in one copy and the artifact's functions in another.
        ssr: { external: ['framework'] },
        server: { watch: { ignored: [`${posix(out)}/**`] } },
      }
    },
    async buildStart() {
      const first = current()
      // A server starts beside the build. What loads the application waits for it, and gets its problem.
      if (isServer) return void first.catch((error: Error) => this.warn(error.message))
      await first
    },
    resolveId: (id) => (id === ARTIFACT ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      await current()
      return `export { default } from ${JSON.stringify(posix(path.join(out, 'worker.mjs')))}`
    },
    configureServer(server) {
      watcher = server.watcher
      const serves = isServed ? applicationHandler(server, builds) : undefined
      if (serves !== undefined) server.middlewares.use(beforeModules(server, builds, serves))
      // After Vite's own handlers, and before those of plugins that run the application, which would show no frame.
      return () => {
        server.middlewares.use((_request, _response, next) => void current().then(next, next))
        if (serves !== undefined) server.middlewares.use(serves)
      }
    },
    async watchChange(file) {
      if (isServer && isRead(file)) await builds.rebuild()
    },
    async hotUpdate({ file, modules }) {
      if (!isRead(file)) return undefined
      const result = await builds.latest
      if (result.artifact === undefined && this.environment.name === 'client') {
        const { message, frame, id, loc, plugin } = problemOf(result)
        this.environment.hot.send({
          type: 'error',
          err: { message, stack: '', id, plugin, loc, ...(frame !== undefined && { frame }) },
        })
      }
      return [...modules, ...modulesOf(this.environment.moduleGraph, result)]
    },
    closeBundle: () => builds.close(),
  }

  /** Resolves with the newest build. Rejects with its problem. */
  async function current(): Promise<void> {
    const result = await builds.latest
    if (result.artifact === undefined) throw problemOf(result)
  }

  /** A new file of a folder that the build has listed counts too. */
  function isRead(file: string): boolean {
    return read.has(path.normalize(file)) || read.has(path.dirname(path.normalize(file)))
  }

  /** The modules that a build replaces: the artifact's, and the entry, which creates the application. */
  function modulesOf(graph: EnvironmentModuleGraph, result: BuildResult): EnvironmentModuleNode[] {
    const { entry } = result.options
    return [...graph.idToModuleMap.values()].filter(
      ({ id, file }) =>
        id === RESOLVED || file === posix(entry) || file?.startsWith(`${posix(out)}/`) === true,
    )
  }
}

/** Returns true if something else than Vite's Node environment runs the application. */
function runsElsewhere({ plugins = [] }: UserConfig): boolean {
  const names = plugins
    .flat(Infinity as 1)
    .map((one) => (one as { readonly name?: string } | null)?.name ?? '')
  return (
    process.env['VITEST'] !== undefined ||
    names.some((name) => name.startsWith('vite-plugin-cloudflare'))
  )
}

function posix(file: string): string {
  return file.split(path.sep).join('/')
}
