import { isFile } from '../util/paths.ts'

/** Files that modules of the bundle name, as absolute paths. */
export class Assets {
  /** Files and folders that they read. */
  readonly paths: Set<string> = new Set()
  /** Modules that they start as threads or processes. */
  readonly programs: Set<string> = new Set()
  /** Modules that load others by computed names, which the scan doesn't know. */
  readonly unknownNames: Set<string> = new Set()
  /** Paths of the application that don't exist, and where they're mentioned. */
  readonly missing: Map<string, { readonly file: string; readonly text: string }> = new Map()
}

/** Finds the source of a file that may be compiled: `worker.ts` for `worker.js`. */
export function sourceOf(target: string): string | undefined {
  const stem = target.replace(/\.([cm]?)jsx?$/, '')
  const letter = /\.([cm])jsx?$/.exec(target)?.[1] ?? ''
  return [target, `${stem}.${letter}ts`, `${stem}.${letter}tsx`].find(isFile)
}
