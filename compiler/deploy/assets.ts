import { isFile } from '../util/paths.ts'

/** Files that modules of the bundle name, as absolute paths. */
export class Assets {
  /** Files and folders that they read. */
  readonly paths: Set<string> = new Set()
  /** Modules that they start as threads or processes. */
  readonly programs: Set<string> = new Set()
  /** Modules that load others by computed names, which the scan doesn't know. */
  readonly unknownNames: Set<string> = new Set()
  /** Names that modules require in a `try`, by module: the code does without them. */
  readonly tried: Map<string, Set<string>> = new Map()
  /** Modules that `import()` loads, by module, unless the code does without them. */
  readonly neededImports: Map<string, ReadonlySet<string>> = new Map()
  /** Packages beside the bundle that functions of `createRequire` load, with the modules that call them. */
  readonly required: Map<string, Set<string>> = new Map()
  /** Modules that name files in their own folder, or in one above, by computed names. */
  readonly unknownFiles: Set<string> = new Set()
  /** Paths that the application finds by its working directory, and the modules that name them. */
  readonly relativeToCwd: Map<string, string> = new Map()
  /** Paths of the application that don't exist, and where they're mentioned. */
  readonly missing: Map<string, { readonly file: string; readonly text: string }> = new Map()
}

/** Finds the source of a file that may be compiled: `worker.ts` for `worker.js`. */
export function sourceOf(target: string): string | undefined {
  const stem = target.replace(/\.([cm]?)jsx?$/, '')
  const letter = /\.([cm])jsx?$/.exec(target)?.[1] ?? ''
  return [target, `${stem}.${letter}ts`, `${stem}.${letter}tsx`].find(isFile)
}
