/** Node's compile cache, filled before a deployment is first started. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { diagnostic } from '../../report/errors.ts'
import type { ResolvedOptions } from '../../model/index.ts'
import type { Bundle } from '../bundle/index.ts'
import { CACHE_FOLDER, MAIN_FILE } from '../deployment-paths.ts'
import { DeployError } from '../deploy-error.ts'
import type { NodeOptions, NodeRelease } from './node-release.ts'
import { isAtLeast, nodeRelease } from './node-release.ts'
import { startFails, startOnce } from './start-once.ts'

/** The first Node.js with `module.enableCompileCache`. */
const MINIMUM_VERSION = '22.8.0'

/** The first Node.js whose cache works after its folder has moved. */
const PORTABLE_SINCE = '24.12.0'

export interface CompileCacheOptions extends NodeOptions {
  readonly compileCache?: boolean | undefined
  /** Id of the user that the deployment will run as. */
  readonly user?: number | undefined
}

/** Returns the Node.js to fill the cache with. @throws DeployError if it has no compile cache */
export function nodeForCache(options: NodeOptions): NodeRelease {
  const node = nodeRelease(options)
  if (isAtLeast(node, MINIMUM_VERSION)) return node
  const at = { file: node.path, line: 0, column: 0 }
  const known = ['compile-cache', MINIMUM_VERSION, node.path, node.version] as const
  throw new DeployError(diagnostic('AOT_NODE_TOO_OLD', at, ...known))
}

/** Writes a main file that enables the cache before it loads the bundle's main file. */
export function writeCachedMain(
  folder: string,
  main: string,
  { format }: Pick<Bundle, 'format'>,
): void {
  const here = format === 'cjs' ? '__dirname' : 'import.meta.dirname'
  const load = format === 'cjs' ? `require('./${main}')` : `await import('./${main}')`
  // Older releases accept only the name of a folder.
  const code = `const { enableCompileCache } = process.getBuiltinModule('node:module')
const directory = process.getBuiltinModule('node:path').join(${here}, '${CACHE_FOLDER}')
try {
  enableCompileCache?.({ directory, portable: true })
} catch {
  enableCompileCache(directory)
}
${load}
`
  writeFileSync(path.join(folder, MAIN_FILE), code)
}

export function isPortable(node: NodeRelease): boolean {
  return isAtLeast(node, PORTABLE_SINCE)
}

/** Fills the cache by starting the deployment twice. @throws DeployError if it doesn't start */
export async function fillCompileCache(
  folder: string,
  node: NodeRelease,
  user: number | undefined,
  options: ResolvedOptions,
): Promise<void> {
  const cache = path.join(folder, CACHE_FOLDER)
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache)
  // The second start caches ES modules, which the first one doesn't.
  for (const compilesAgain of [true, false]) await startOnce(folder, node, options, compilesAgain)
  const [name] = readdirSync(cache)
  const cached = name === undefined ? [] : readdirSync(path.join(cache, name))
  if (name === undefined || cached.length === 0) {
    throw startFails('Node has cached nothing', '', options)
  }
  // Node makes them readable for its own user only.
  for (const file of cached) chmodSync(path.join(cache, name, file), 0o644)
  if (user !== undefined) giveTo(user, cache, name)
}

/** Renames the folder if Node has named it after the current user. */
function giveTo(user: number, cache: string, name: string): void {
  const current = process.getuid?.()
  if (current === undefined || !name.endsWith(`-${current}`)) return
  renameSync(path.join(cache, name), path.join(cache, name.replace(/\d+$/, String(user))))
}
