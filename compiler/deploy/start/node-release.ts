import { spawnSync } from 'node:child_process'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic } from '../../model/index.ts'

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

export function nodeRelease({
  node: path = process.execPath,
  nodeFlags: flags = [],
}: NodeOptions): NodeRelease | Diagnostic {
  const { stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [, version] = /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '') ?? []
  if (version !== undefined) return { path, flags, version }
  const at = { file: path, line: 0, column: 0 }
  return diagnostic('AOT_NODE_NOT_FOUND', at, path, error?.message ?? 'it prints no version')
}

export function isAtLeast({ version }: NodeRelease, minimum: string): boolean {
  return version.localeCompare(minimum, 'en', { numeric: true }) >= 0
}
