import { spawnSync } from 'node:child_process'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic } from '../../model/index.ts'

/** The Node.js that will run a deployment. */
export interface NodeRelease {
  readonly path: string
  /** Flags that it is started with. */
  readonly flags: readonly string[]
  readonly version: string
}

/** What to know of a Node.js before a deployment is made for it; a problem when it is none, or too old for an option. */
export function nodeRelease(
  path: string,
  flags: readonly string[],
  needs: Readonly<Record<string, string>>,
): NodeRelease | Diagnostic {
  const at = { file: path, line: 0, column: 0 }
  const { stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [, version] = /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '') ?? []
  if (version === undefined) {
    return diagnostic('AOT_NODE_NOT_FOUND', at, path, error?.message ?? 'it tells no version')
  }
  for (const [option, least] of Object.entries(needs)) {
    if (!isAtLeast(version, least)) {
      return diagnostic('AOT_NODE_TOO_OLD', at, option, least, path, version)
    }
  }
  return { path, flags, version }
}

export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((one) => one.split('.').map(Number))
  const at = (b as number[]).findIndex((part, i) => part !== (a?.[i] ?? 0))
  return at === -1 || (a?.[at] ?? 0) > (b?.[at] ?? 0)
}
