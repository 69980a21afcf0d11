import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isFile, isFolder, isPackageFile, packageRootOf } from '../../util/paths.ts'
import { compiledName } from '../deployment-paths.ts'
import type { BundledApplication } from '../bundle-application.ts'
import { sourceOf } from '../assets.ts'
import type { MayCopy } from './left-out.ts'

/**
 * Copies the files that modules name. Returns their paths in the deployment.
 *
 * @param out the folder of the deployment
 * @param hasFolders the platform has a file system
 */
export function copyAssets(
  { assets, paths, bundled: { modules, programs } }: BundledApplication,
  out: string,
  hasFolders: boolean,
  mayCopy: MayCopy,
): readonly string[] {
  const copied = new Set<string>()
  for (const target of [...assets.paths].sort()) {
    if (isFile(target)) copyOne(target)
    else if (isFolder(target) && !isOfProgram(target, modules)) {
      if (mayCopy(target)) copyFolder(target)
    }
  }
  for (const [target, file] of programs) putProgram(target, file)
  return [...copied].sort()

  /** Writes a file that imports the bundled program, as the module kind of its source. */
  function putProgram(target: string, file: string): void {
    const deployed = compiledName(paths.of(target))
    const from = JSON.stringify(path.posix.relative(path.posix.dirname(deployed), file))
    const source = sourceOf(target) ?? target
    const isCommonJs = moduleKindOf(source) === 'commonjs'
    put(deployed, (to) => writeFileSync(to, isCommonJs ? `import(${from})\n` : `import ${from}\n`))
    putPackageType(source)
  }

  function copyFolder(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const target = path.join(folder, entry.name)
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      if (entry.isDirectory()) {
        if (mayCopy(target)) copyFolder(target)
      } else if (isFile(target)) copyOne(target)
    }
  }

  function copyOne(file: string): void {
    const deployed = paths.of(file)
    if (modules.has(file) && !file.endsWith('.json')) {
      if (!hasFolders) return
      // Code that lists the folder finds its name.
      put(compiledName(deployed), (target) => writeFileSync(target, '// Part of the bundle.\n'))
      putPackageType(file)
    } else if ((isPackageFile(file) || !isTypeScript(file)) && mayCopy(file)) {
      copy(file)
    }
  }

  function putPackageType(file: string): void {
    const root = packageRootOf(file)
    if (root !== undefined) copy(path.join(root, 'package.json'))
  }

  function copy(file: string): void {
    put(paths.of(file), (target) => {
      copyFileSync(file, target)
      // Static file servers send the time of the last change.
      const { atime, mtime } = statSync(file)
      utimesSync(target, atime, mtime)
    })
  }

  function put(deployed: string, write: (target: string) => void): void {
    if (copied.has(deployed)) return
    copied.add(deployed)
    const target = path.join(out, deployed)
    mkdirSync(path.dirname(target), { recursive: true })
    write(target)
  }
}

/** Checks for folders around the program itself, which code names only to reach files in them. */
function isOfProgram(folder: string, modules: ReadonlySet<string>): boolean {
  return (
    isFile(path.join(folder, 'package.json')) ||
    isFolder(path.join(folder, 'node_modules')) ||
    containsApplication(folder, modules)
  )
}

function containsApplication(folder: string, modules: ReadonlySet<string>): boolean {
  const own = [...modules].filter((file) => !isPackageFile(file))
  return own.length > 0 && own.every((file) => file.startsWith(folder + path.sep))
}
