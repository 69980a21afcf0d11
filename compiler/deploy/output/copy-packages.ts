import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { packageJsonIn } from '../../util/package-json.ts'
import type { ExternalPackage } from '../external-packages.ts'
import { folderOf } from '../external-packages.ts'
import type { LeftOut } from './left-out.ts'
import { createCopyFilter } from './left-out.ts'

/** Copies packages with their dependencies, nested if two versions of a package are needed. Returns the folders. */
export function copyPackages(
  packages: Iterable<ExternalPackage>,
  out: string,
  leftOut: LeftOut,
): readonly string[] {
  const copied = new Map<string, string>()
  const top = path.join(out, 'node_modules')
  copyAll(packages, [top])
  return [...copied.keys()].sort()

  /**
   * Copies packages before their dependencies: a dependency must not take the place of another version.
   *
   * @param places the folders in which Node looks for the packages, in its order
   */
  function copyAll(packages: Iterable<ExternalPackage>, places: readonly string[]): void {
    const newlyCopied = new Map<string, string>()
    for (const { name, folder } of packages) {
      const found = places.map((place) => path.join(place, name)).find((one) => copied.has(one))
      if (found !== undefined && copied.get(found) === folder) continue
      const target = path.join(found === undefined ? top : (places[0] as string), name)
      copied.set(target, folder)
      newlyCopied.set(target, folder)
      mkdirSync(path.dirname(target), { recursive: true })
      const mayCopy = createCopyFilter(folder, [], leftOut)
      cpSync(folder, target, {
        recursive: true,
        dereference: true,
        // Dependencies are copied separately.
        filter: (source) =>
          source === folder || (path.basename(source) !== 'node_modules' && mayCopy(source)),
      })
    }
    for (const [target, folder] of newlyCopied) {
      copyAll(dependenciesOf(folder), [path.join(target, 'node_modules'), ...places])
    }
  }
}

/** Returns the installed dependencies: optional ones may be missing. */
function dependenciesOf(folder: string): ExternalPackage[] {
  const { dependencies, optionalDependencies, peerDependencies } = packageJsonIn(folder)
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    const found = folderOf(name, folder)
    return found === undefined ? [] : [{ name, folder: found }]
  })
}
