import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The nearest folder above `file` that holds a package.json. */
export function packageRootOf(file: string): string | undefined {
  return folderAbove(file, 'package.json')
}

/** The nearest folder above `file` that contains something by this name. */
export function folderAbove(file: string, name: string): string | undefined {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** Returns whether a file belongs to an installed package. */
export function isPackageFile(file: string): boolean {
  return /[/\\]node_modules[/\\]/.test(file)
}

/** The folder of the installed package that a file belongs to. */
export function packageFolderOf(file: string): string | undefined {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0]
}

/** The name of that package. */
export function packageNameOf(file: string): string | undefined {
  const name = packageFolderOf(file)
    ?.split(/node_modules[/\\]/)
    .at(-1)
  return name?.replaceAll('\\', '/')
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
