/** What makes a deployment start faster, when asked. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic, ResolvedOptions } from '../../model/index.ts'
import { displayPath } from '../../util/paths.ts'
import { MAIN_FILE } from '../places.ts'
import type { Bundle } from '../bundle.ts'
import type { Platform } from '../targets/platform.ts'
import { cacheStub, fillCompileCache, isPortable } from './compile-cache.ts'
import { nodeRelease } from '../process/node-release.ts'
import type { StartFailure } from '../process/start-once.ts'

export interface FasterStart {
  /** Fills Node's cache of compiled code by starting the deployment once. */
  readonly compileCache?: boolean | undefined
  /** The Node.js that will run the deployment. Default: the one that runs now. */
  readonly node?: string | undefined
  /** The flags that it will be started with. */
  readonly nodeFlags?: readonly string[] | undefined
  /** The id of the user that it will run as. */
  readonly user?: number | undefined
}

/** What is done for it while a folder is put together. */
export interface Start {
  /** The name of the program's main file, without `.js`. */
  readonly main: string
  /** In the folder that is to be the deployment. */
  prepare(
    folder: string,
    bundled: Pick<Bundle, 'build' | 'format'>,
  ): Promise<Diagnostic | undefined>
  /** Where the deployment has got its place. */
  finish(out: string): Promise<Diagnostic | undefined>
  /** How to start it. */
  command(platform: Platform, out: string): string
}

/** Nothing is done, and nothing asked of Node. */
const asItIs: Start = {
  main: 'index',
  prepare: () => Promise.resolve(undefined),
  finish: () => Promise.resolve(undefined),
  command: (platform, out) => platform.start(out),
}

export function isProblem(value: Start | Diagnostic): value is Diagnostic {
  return 'code' in value
}

export function createStart(
  { compileCache = false, node = process.execPath, nodeFlags = [], user }: FasterStart,
  options: ResolvedOptions,
): Start | Diagnostic {
  if (!compileCache) return asItIs
  const release = nodeRelease(node, nodeFlags, { 'compile-cache': '22.8.0' })
  if ('code' in release) return release
  const fill = async (folder: string): Promise<Diagnostic | undefined> => {
    const settings = { node: release, user, patience: options.bootTimeout }
    const failure = await fillCompileCache(folder, settings)
    return failure && startFails(failure, options)
  }
  return {
    main: 'main',
    prepare(folder, bundled) {
      writeFileSync(path.join(folder, MAIN_FILE), cacheStub(bundled, 'main.js'))
      return fill(folder)
    },
    // Older releases know what they have compiled by its path.
    finish: (out) => (isPortable(release) ? Promise.resolve(undefined) : fill(out)),
    command: (platform, out) => platform.start([...nodeFlags, out].join(' ')),
  }
}

export function startFails(
  { reason, printed }: StartFailure,
  { entry, root }: ResolvedOptions,
): Diagnostic {
  const at = { file: displayPath(entry, root), line: 1, column: 1 }
  const output = printed.trim()
  return diagnostic(
    'AOT_START_FAILS',
    at,
    reason,
    output === '' ? ' ' : ` It printed:\n${output}\n`,
  )
}
