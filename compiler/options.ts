/** The options of a build, and their defaults. */
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { LineName } from '../runtime/artifact/lines.ts'
import type { ResolvedOptions } from './model/index.ts'
import { detectServer, factoryFor, serializersFor } from './servers/detect.ts'
import { packageRootOf } from './util/paths.ts'

/** Options of `compile` and `build`. Paths are relative to the working directory. */
export interface BuildOptions {
  /** The file that creates the application, or exports a factory function or a plugin. */
  entry: string
  /** The folder that the artifact is written to. Default `.framework` beside the application's package.json. */
  out?: string | undefined
  /**
   * Builds everything else if routes, or parts of them, aren't known without running the application. The manifest lists
   * them. Default `false`: they are errors.
   */
  allowDynamic?: boolean | undefined
  /** Uses the cache of earlier builds in `node_modules/.cache/framework`. Default `true`. */
  cache?: boolean | undefined
  /**
   * Boots the application in a sandbox, without network, writes and environment, to complete what its source doesn't show. Default
   * `true`. `'whenNeeded'`: only if something is incomplete.
   */
  boot?: boolean | 'whenNeeded' | undefined
  /** The environment of that boot. Default: empty. */
  bootEnvironment?: Readonly<Record<string, string>> | undefined
  /** Boots the application in a separate process to record what its source doesn't show. Default `false`. */
  trace?: boolean | undefined
  /** Boots the application in a separate process and reports where it differs from its source. Default `false`. */
  verify?: boolean | undefined
  /** Makes packages that generate code at run time an error. Default `false`: a warning. */
  strictEval?: boolean | undefined
  /** How long booting may take, in ms. Default 30 000. */
  bootTimeout?: number | undefined
  /** The server that the functions are for. `framework` means this package, with the line of Fastify that the application imports. Default: see `detectServer`. */
  line?: LineName | undefined
}

/** In ms. Timers of Node with 2 ** 31 ms or more run at once. */
const MAX_TIMEOUT = 2_000_000_000

/** Fills in the defaults. */
export function resolveOptions(options: BuildOptions): ResolvedOptions {
  const path = resolve(options.entry)
  const root = packageRootOf(path) ?? process.cwd()
  const entry = withoutLinks(path, root)
  // For `undefined`, `detectServer` reads the start script to find out whether this package replaces Fastify.
  const isOurs = options.line === 'framework' || undefined
  const server = detectServer(entry, root, isOurs)
  const line = (isOurs ? undefined : options.line) ?? server?.line ?? 'framework'
  return {
    entry,
    root,
    out: resolve(options.out ?? join(root, '.framework')),
    cache: options.cache ?? true,
    allowDynamic: options.allowDynamic ?? false,
    boot:
      options.boot === 'whenNeeded' ? options.boot : options.boot === false ? 'never' : 'always',
    bootEnvironment: options.bootEnvironment ?? {},
    trace: options.trace ?? false,
    verify: options.verify ?? false,
    strictEval: options.strictEval ?? false,
    bootTimeout: Math.min(options.bootTimeout ?? 30_000, MAX_TIMEOUT),
    target: options.line ?? (server?.isReplaced ? 'framework' : line),
    line,
    serializers: serializersFor(server, line, entry),
    server,
    factory: factoryFor(server, line),
  }
}

/** The file that a symbolic link points to, because Node resolves imports from there. Links in the path of the root are kept. */
function withoutLinks(file: string, root: string): string {
  if (!existsSync(file)) return file
  const real = realpathSync(file)
  const inside = relative(realpathSync(root), real)
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? real : join(root, inside)
}
