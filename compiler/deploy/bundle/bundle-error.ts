import type { Message } from 'esbuild'
import type { RollupError } from 'rollup'

/** An error of rollup, perhaps with those of esbuild: these have locations in the file, rollup's are in the transformed code. */
export interface CauseOfBundleError extends RollupError {
  readonly errors?: readonly Message[]
}

/** A module can't be bundled. */
export class BundleError extends Error {
  /** Absolute. */
  readonly file: string | undefined
  readonly line: number
  readonly column: number

  constructor({ message, id, errors = [] }: CauseOfBundleError) {
    const [error] = errors
    const [first = ''] = (error?.text ?? message).split('\n')
    // File and position are shown anyway, and the plugins that rollup recommends are in use. Ids of modules that plugins add aren't paths.
    super(
      first
        .replace(/"\0([^"?]*)\?[^"]*"/g, '"$1"')
        .replace(/^\[plugin [^\]]+\] /, '')
        .replace(/^\S+ ?\(\d+:\d+\): /, '')
        .replace(/ ?\(Note that you need plugins.*$/, '')
        .replace(/\.?\s*$/, ''),
    )
    const location = id === undefined ? undefined : error?.location
    this.file = id === undefined ? undefined : fileOf(id)
    this.line = location?.line ?? 0
    this.column = location ? location.column + 1 : 0
  }
}

/** Returns the file of a module id of rollup. */
export function fileOf(id: string): string {
  return id.replace(/^\0/, '').replace(/\?.*$/, '')
}
