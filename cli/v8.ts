/** Tunes V8 for commands, most of which run for seconds. */
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isFileError } from '../compiler/util/source-files.ts'

/**
 * Keeps V8's code cache for the next command (Node 22.8 and later). It's in a folder of the user: who can write to the cache can run code as
 * the user, and Node's default folder is shared.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = module as { enableCompileCache?(folder: string): void }
  if (enable === undefined) return
  const folder = privateFolder()
  if (folder !== undefined) enable(folder)
}

/** Returns a folder that only the current user can write to. `undefined` if the system has none. */
export function privateFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  try {
    const { HOME = homedir(), XDG_CACHE_HOME = '' } = env
    // https://specifications.freedesktop.org/basedir-spec: an empty or relative path counts as not set.
    const caches = [XDG_CACHE_HOME, join(HOME, '.cache')].find(isAbsolute)
    if (caches === undefined) return undefined
    const folder = join(caches, 'framework/compile-cache')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const real = realpathSync(folder)
    return isPrivate(real) ? real : undefined
  } catch (error) {
    // Without a writable home there's no cache.
    if (isFileError(error)) return undefined
    throw error
  }
}

/** Others must have no access to the folder, and must not be able to replace it. On Windows, homes of users are private. */
function isPrivate(folder: string): boolean {
  const user = process.getuid?.()
  if (user === undefined) return true
  const { uid, mode } = statSync(folder)
  if (uid !== user || (mode & 0o077) !== 0) return false
  for (let above = dirname(folder); ; above = dirname(above)) {
    const { uid, mode } = statSync(above)
    const isSticky = (mode & 0o1000) !== 0
    if ((uid !== user && uid !== 0) || ((mode & 0o022) !== 0 && !isSticky)) return false
    if (above === dirname(above)) return true
  }
}

/** V8 flags by Node release that make V8 optimize a function about four times later than usual. */
const FLAGS: Readonly<Record<number, string>> = {
  20: '--interrupt-budget=264192',
  22: '--invocation-count-for-turbofan=12000',
  24: '--invocation-count-for-turbofan=12000',
  26: '--invocation-count-for-turbofan=12000',
}

/**
 * Makes V8 optimize fewer functions, which saves a seventh of a build's CPU time on Node 20. A command has
 * done most of its work before optimized code pays off, and the optimizing threads take time from those that
 * compile schemas.
 */
export function optimizeLess(): void {
  const [major = ''] = process.versions.node.split('.')
  const flag = FLAGS[Number(major)]
  if (flag !== undefined) setFlagsFromString(flag)
}
