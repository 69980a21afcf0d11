/** Node's flags and environment variables for an application. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isTypeScript } from '../../compiler/util/module-kind.ts'
import { packageRootOf } from '../../compiler/util/paths.ts'
import { UsageError } from '../command.ts'
import { readEnvironment } from '../env-files.ts'

/**
 * Returns Node's flags for running an entry as it is written. TypeScript runs with tsx if the project has it,
 * else with Node's own type stripping.
 *
 * @throws UsageError if neither is available
 */
export function flagsFor(entry: string): readonly string[] {
  if (!isTypeScript(entry)) return []
  const { resolve } = createRequire(
    path.join(packageRootOf(entry) ?? process.cwd(), 'package.json'),
  )
  const tsx = found(() => resolve('tsx'))
  if (tsx !== undefined) return ['--import', pathToFileURL(tsx).href]
  if ('typescript' in process.features && process.features.typescript !== false) return []
  throw new UsageError(
    `Node ${process.versions.node} does not run TypeScript, and the project has no tsx. Install it: \`npm install --save-dev tsx\`. Or use Node 22.18 or later, or another program that runs TypeScript: \`--exec <command>\`.`,
  )
}

function found(resolve: () => string): string | undefined {
  try {
    return resolve()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Returns the environment, extended by files. As in Node, existing variables win over files. */
export function environmentOf(files: readonly string[]): NodeJS.ProcessEnv {
  return { ...readEnvironment(files), ...process.env }
}
