/** Watches the files of a project whose changes start a build. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import { LOCKS } from '../../compiler/cache/build-record.ts'

export interface WatchedFilesOptions {
  /** The folder to watch, with all its subfolders. */
  readonly root: string
  /** Folders in it that contain no source. */
  readonly ignored: readonly string[]
  /** Files to watch wherever they are, such as `.env`. */
  readonly also: readonly string[]
  readonly onChange: (file: string) => void
}

export interface WatchedFiles {
  add(paths: readonly string[]): void
  close(): Promise<void>
}

/** Source and configuration files. */
const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|json|jsonc)$/

/** Temporary files and folders of this package. */
const UNFINISHED = /\.(?:writing|old)-\d+$/

/** Errors of folders that may not be read, or are links in a circle. */
const UNREADABLE = ['EACCES', 'ELOOP', 'EPERM']

/** Resolves when the files are watched. */
export async function watchFiles(options: WatchedFilesOptions): Promise<WatchedFiles> {
  const { root, ignored, also, onChange } = options
  const explicit = new Set<string>(also)
  const watcher: FSWatcher = watch([root, ...also], {
    ignoreInitial: true,
    ignored: (file, stats) => {
      if (explicit.has(file) || file === root) return false
      if (!isWithin(file, root)) return true
      if (ignored.some((folder) => isWithin(file, folder))) return true
      const names = path.relative(root, file).split(path.sep)
      if (names.some((name) => name === 'node_modules' || name.startsWith('.'))) return true
      if (names.some((name) => UNFINISHED.test(name))) return true
      return stats?.isFile() === true && !SOURCE.test(file)
    },
  })
  // Events of folders are ignored: they come with those of their files.
  for (const event of ['add', 'change', 'unlink'] as const)
    watcher.on(event, (file) => onChange(file))
  await new Promise<void>((resolve, reject) => {
    let isReady = false
    watcher.once('ready', () => {
      isReady = true
      resolve()
    })
    watcher.on('error', (error) => {
      // Other folders are watched all the same. The build says if it needs what cannot be read.
      if (UNREADABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return
      if (isReady) throw error
      reject(error as Error)
    })
  })
  return {
    /** Skips sources in the root, which are watched already, and files of packages except lock files, which every installation changes. */
    add(paths) {
      const further = paths.filter((file) => {
        if (explicit.has(file)) return false
        if (LOCKS.includes(path.basename(file))) return true
        return !file.includes('node_modules') && (!isWithin(file, root) || isDataFile(file))
      })
      for (const file of further) explicit.add(file)
      watcher.add(further)
    },
    close: () => watcher.close(),
  }

  function isDataFile(file: string): boolean {
    if (SOURCE.test(file) || ignored.some((folder) => isWithin(file, folder))) return false
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  }
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder + path.sep)
}
