import { isFile } from '../util/paths.ts'

/** Files that modules of the bundle name, as absolute paths. */
export interface Assets {
  /** Files and folders that they read. */
  readonly paths: Set<string>
  /** Modules that they start as threads or processes. */
  readonly programs: Set<string>
  /** Modules that load others by computed names. */
  readonly unknownNames: Set<string>
  /** Paths of the application that don't exist, and where they're mentioned. */
  readonly missing: Map<string, Mention>
}

export interface Mention {
  readonly file: string
  readonly text: string
}

export function createAssets(): Assets {
  return { paths: new Set(), programs: new Set(), unknownNames: new Set(), missing: new Map() }
}

/** Finds the source of a file that may be compiled: `worker.ts` for `worker.js`. */
export function sourceOf(target: string): string | undefined {
  const stem = target.replace(/\.([cm]?)jsx?$/, '')
  const letter = /\.([cm])jsx?$/.exec(target)?.[1] ?? ''
  return [target, `${stem}.${letter}ts`, `${stem}.${letter}tsx`].find(isFile)
}
