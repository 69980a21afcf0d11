/** Node's own cache of compiled code, filled before the first real start. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildMark } from '../../../runtime/artifact/files/build-mark.ts'
import type { Bundle } from '../bundle.ts'
import { isAtLeast } from '../process/node-release.ts'
import type { NodeRelease } from '../process/node-release.ts'
import { startOnce } from '../process/start-once.ts'
import type { StartFailure } from '../process/start-once.ts'

/** The folder of the cache in a deployment. */
export const CACHE_FOLDER = 'compile-cache'

/** The first release that can keep a cache in a folder that is moved. */
export const PORTABLE_SINCE = '24.12.0'

/**
 * The main module of a deployment with a cache: it is none of those that are kept, because it runs before there is a cache.
 *
 * Older releases take the name of a folder alone, and throw what they do not know.
 */
export function cacheStub(
  { format, build }: Pick<Bundle, 'build' | 'format'>,
  main: string,
): string {
  const here = format === 'cjs' ? '__dirname' : 'import.meta.dirname'
  const load = format === 'cjs' ? `require('./${main}')` : `await import('./${main}')`
  return `const { enableCompileCache } = process.getBuiltinModule('node:module')
const directory = process.getBuiltinModule('node:path').join(${here}, '${CACHE_FOLDER}')
try {
  enableCompileCache?.({ directory, portable: true })
} catch {
  enableCompileCache(directory)
}
${load}
${buildMark(build)}`
}

/** Whether the cache of this Node goes on in a folder that was renamed. */
export function isPortable({ version }: NodeRelease): boolean {
  return isAtLeast(version, PORTABLE_SINCE)
}

export interface FillOptions {
  readonly node: NodeRelease
  /** The id of the user that the deployment will run as, where Node keeps users apart. */
  readonly user: number | undefined
  /** In ms. */
  readonly patience: number
}

/** Starts the deployment twice. Returns what is wrong, or `undefined`. */
export async function fillCompileCache(
  folder: string,
  { node, user, patience }: FillOptions,
): Promise<StartFailure | undefined> {
  const cache = path.join(folder, CACHE_FOLDER)
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache)
  // What the first of them has kept, the second one takes as it is.
  for (const ending of ['compile-again', 'end'] as const) {
    const failure = await startOnce(folder, node, patience, ending)
    if (failure !== undefined) return failure
  }
  const [name] = readdirSync(cache)
  const kept = name === undefined ? [] : readdirSync(path.join(cache, name))
  if (name === undefined || kept.length === 0) {
    return { reason: 'Node has kept nothing of what it has compiled', printed: '' }
  }
  // Node lets nobody else read them.
  for (const file of kept) chmodSync(path.join(cache, name, file), 0o644)
  if (user !== undefined) giveTo(user, cache, name)
  return undefined
}

/** Node names the folder for the user, where it keeps users apart. */
function giveTo(user: number, cache: string, name: string): void {
  const own = process.getuid?.()
  if (own === undefined || !name.endsWith(`-${own}`)) return
  renameSync(path.join(cache, name), path.join(cache, name.replace(/\d+$/, String(user))))
}
