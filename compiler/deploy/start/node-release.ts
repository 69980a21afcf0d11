import { spawnSync } from 'node:child_process'
import { diagnostic } from '../../report/errors.ts'
import { DeployError } from '../deploy-error.ts'

/** The Node.js that will run a deployment. */
export interface NodeRelease {
  readonly path: string
  /** Its command line flags. */
  readonly flags: readonly string[]
  readonly version: string
}

export interface NodeOptions {
  /** The executable. Default: the Node.js that runs now. */
  readonly node?: string | undefined
  readonly nodeFlags?: readonly string[] | undefined
}

/** @throws DeployError */
export function nodeRelease({
  node: path = process.execPath,
  nodeFlags: flags = [],
}: NodeOptions): NodeRelease {
  const { stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [, version] = /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '') ?? []
  if (version !== undefined) return { path, flags, version }
  const at = { file: path, line: 0, column: 0 }
  const reason = error?.message ?? 'it prints no version'
  throw new DeployError(diagnostic('AOT_NODE_NOT_FOUND', at, path, reason))
}

export function isAtLeast({ version }: NodeRelease, minimum: string): boolean {
  return version.localeCompare(minimum, 'en', { numeric: true }) >= 0
}
