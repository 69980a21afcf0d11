import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

/** The nearest folder above `file` that holds a package.json. */
export function packageRootOf(file: string): string | undefined {
  let dir = dirname(file)
  while (!existsSync(resolve(dir, 'package.json'))) {
    const parent = dirname(dir)
    if (parent === dir) return undefined
    dir = parent
  }
  return dir
}

/** Returns whether `path` is a file. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Returns whether `path` is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** `path` as reports print it: relative to `root`, with forward slashes. */
export function displayPath(path: string, root: string): string {
  return relative(root, path).replaceAll('\\', '/') || '.'
}
