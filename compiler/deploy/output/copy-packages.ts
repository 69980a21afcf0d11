import { cpSync, mkdirSync, realpathSync } from 'node:fs'
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
  for (const one of packages) copy(one, path.join(out, 'node_modules'))
  return [...copied.keys()].sort()

  function copy({ name, folder }: ExternalPackage, modules: string): void {
    const real = realpathSync(folder)
    const target = path.join(modules, name)
    if (copied.get(target) === real) return
    copied.set(target, real)
    mkdirSync(path.dirname(target), { recursive: true })
    const mayCopy = createCopyFilter(real, [], leftOut)
    cpSync(real, target, {
      recursive: true,
      dereference: true,
      filter: (source) =>
        source === real || (path.basename(source) !== 'node_modules' && mayCopy(source)),
    })
    for (const dependency of dependenciesOf(real)) {
      const top = path.join(out, 'node_modules', dependency.name)
      const existing = copied.get(top)
      const isFree = existing === undefined || existing === realpathSync(dependency.folder)
      copy(dependency, isFree ? path.join(out, 'node_modules') : path.join(target, 'node_modules'))
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
