import path from 'node:path'
import type { FSWatcher } from 'chokidar'
import { watch } from 'chokidar'

export interface WatchedFilesOptions {
  /** Whose files are watched, in all its folders. */
  readonly root: string
  /** Folders in it that are not: what is written there is no source. */
  readonly ignored: readonly string[]
  /** Further files. */
  readonly also: readonly string[]
  readonly onChange: (file: string) => void
}

/** The files of an application, while they are edited. */
export interface WatchedFiles {
  /** Watches these besides. */
  add(paths: readonly string[]): void
  close(): Promise<void>
}

/** What applications are written in, and what they are set up by. */
const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|json|jsonc)$/

/** What package managers write when they have installed something. */
const INSTALLED =
  /[/\\]node_modules[/\\](?:\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml)$/

/** What a command of this package has not put in its place yet, or is about to remove. */
const UNFINISHED = /\.(?:writing|old)-\d+$/

/** Resolves when changes are seen. */
export async function watchFiles(options: WatchedFilesOptions): Promise<WatchedFiles> {
  const { root, ignored, also, onChange } = options
  const own = new Set<string>(also)
  const watcher: FSWatcher = watch([root, ...also], {
    ignoreInitial: true,
    ignored: (file, stats) => {
      if (own.has(file) || file === root) return false
      if (!isWithin(file, root)) return true
      if (ignored.some((folder) => isWithin(file, folder))) return true
      const names = path.relative(root, file).split(path.sep)
      if (names.some((name) => name === 'node_modules' || name.startsWith('.'))) return true
      if (names.some((name) => UNFINISHED.test(name))) return true
      return stats?.isFile() === true && !SOURCE.test(file)
    },
  })
  // A folder changes with its files.
  for (const event of ['add', 'change', 'unlink'] as const)
    watcher.on(event, (file) => onChange(file))
  await new Promise<void>((resolve, reject) => {
    watcher.once('ready', resolve)
    watcher.once('error', reject)
  })
  return {
    add(paths) {
      const further = paths.filter(
        (file) =>
          !own.has(file) &&
          (INSTALLED.test(file) || !(isWithin(file, root) || file.includes('node_modules'))),
      )
      for (const file of further) own.add(file)
      watcher.add(further)
    },
    close: () => watcher.close(),
  }
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder + path.sep)
}
