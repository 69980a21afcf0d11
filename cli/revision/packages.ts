import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { packagesIn } from '../../compiler/util/source-files.ts'

/**
 * Links the packages that are installed in one checkout of a repository into another. Links of workspaces lead to the folders in the
 * other checkout, because they are part of the revision.
 */
export function mirrorPackages(from: string, to: string): void {
  for (const folder of packageFolders(from)) {
    const target = join(to, relative(from, folder))
    // The revision may not have this package yet.
    if (!existsSync(dirname(target))) continue
    for (const name of packagesIn(folder)) link(join(folder, name), join(target, name))
  }

  function link(source: string, target: string): void {
    const real = realpathSync(source)
    const inside = relative(from, real)
    const isOfWorkspace = !inside.startsWith('..') && !inside.split(sep).includes('node_modules')
    const destination = isOfWorkspace ? join(to, inside) : real
    if (existsSync(target) || !existsSync(destination)) return
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(destination, target, 'junction')
  }
}

/** Every `node_modules` folder of a checkout that isn't inside of another one. */
function packageFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === '.git') return []
    const path = join(folder, entry.name)
    return entry.name === 'node_modules' ? [path] : packageFolders(path)
  })
}
