import { existsSync, mkdirSync, statSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Returns the nearest folder above `file` that contains a package.json. */
export function packageRootOf(file: string): string | undefined {
  return nearestFolder(dirname(file), 'package.json')
}

/** Returns `start` or the nearest folder above it that contains an entry with this name. */
export function nearestFolder(start: string, name: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

export function isPackageFile(file: string): boolean {
  return /[/\\]node_modules[/\\]/.test(file)
}

export function packageFolderOf(file: string): string | undefined {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0]
}

export function packageNameOf(file: string): string | undefined {
  const name = packageFolderOf(file)
    ?.split(/node_modules[/\\]/)
    .at(-1)
  return name?.replaceAll('\\', '/')
}

export function packageNameIn(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false
}

/** Below a file, `statSync` of Node 20 throws. */
function statsOf(path: string): Stats | undefined {
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined
}

/** Returns whether a folder is `path`, or contains it. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return !isAbsolute(inside) && inside.split(sep)[0] !== '..'
}

/** Creates a folder and those above it. Node's `recursive` never ends where nothing can be created, as in `/proc/self`. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Returns a path for reports: relative to `root`, with forward slashes. */
export function displayPath(path: string, root: string): string {
  return relative(root, path).replaceAll('\\', '/') || '.'
}
