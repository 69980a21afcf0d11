import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Line } from '../runtime/artifact/lines.ts'
import { detectLine, detectSerializers } from './target-profiles/detect.ts'
import type { ResolvedOptions } from './model/index.ts'
import { packageRootOf } from './util/paths.ts'

/** What `compile` and `build` take. Paths are relative to the working directory. */
export interface BuildOptions {
  /** The file that creates the application, or exports a factory function or a plugin. */
  entry: string
  /** The folder that the artifact is written to. Default `.framework` beside the application's package.json. */
  out?: string | undefined
  /**
   * Builds the rest when parts of routes, or routes, cannot be known without running the application; the manifest lists
   * them. Default `false`: they are problems.
   */
  allowDynamic?: boolean | undefined
  /** Whether to use what earlier builds have left in `node_modules/.cache/framework`. Default `true`. */
  cache?: boolean | undefined
  /** Boots the application in a process of its own and takes from it what the source does not tell. Default `false`. */
  trace?: boolean | undefined
  /** Boots the application in a process of its own and reports what differs from what the source tells. Default `false`. */
  verify?: boolean | undefined
  /** Whether it is a problem that a package generates code when the application runs. Default `false`: a warning. */
  strictEval?: boolean | undefined
  /** How long booting may take, in ms. Default 30 000. */
  bootTimeout?: number | undefined
  /** What the functions are for. Default: what the application runs on, see `detectLine`. */
  line?: Line | undefined
}

/** Fills in the defaults; the only place that knows them. */
export function resolveOptions(options: BuildOptions): ResolvedOptions {
  const given = resolve(options.entry)
  const root = packageRootOf(given) ?? process.cwd()
  const entry = withoutLinks(given, root)
  const line = options.line ?? detectLine(entry, root)
  return {
    entry,
    root,
    out: resolve(options.out ?? join(root, '.framework')),
    allowDynamic: options.allowDynamic ?? false,
    trace: options.trace ?? false,
    verify: options.verify ?? false,
    strictEval: options.strictEval ?? false,
    bootTimeout: options.bootTimeout ?? 30_000,
    line,
    serializers: detectSerializers(entry, line),
  }
}

/** The file that Node runs where a link to it is named: it imports from there. What leads to the root stays as it is. */
function withoutLinks(file: string, root: string): string {
  if (!existsSync(file)) return file
  const real = realpathSync(file)
  const inside = relative(realpathSync(root), real)
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? real : join(root, inside)
}
