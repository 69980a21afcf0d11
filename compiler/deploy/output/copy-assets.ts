import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isFile, isFolder, isPackageFile, packageRootOf } from '../../util/paths.ts'
import { compiledName } from '../deployment-paths.ts'
import type { BundledApplication } from '../bundle-application.ts'
import { sourceOf } from '../assets.ts'
import type { LeftOut, MayCopy } from './left-out.ts'

/** Folders that aren't copied as parts of others. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.framework'])

type SourceAction = 'copy' | 'skip' | 'report'

/**
 * Copies the files that modules or the user name. Returns their paths in the deployment.
 *
 * @param out the folder of the deployment
 * @param hasFolders the platform has a file system
 * @param include files and folders that the user named
 */
export function copyAssets(
  { assets, paths, loadedByName, bundled: { modules, programs } }: BundledApplication,
  out: string,
  hasFolders: boolean,
  include: readonly string[],
  mayCopy: MayCopy,
  leftOut: LeftOut,
): readonly string[] {
  const copied = new Set<string>()
  for (const target of [...assets.paths].sort()) {
    const isNamed = include.includes(target)
    if (isFile(target)) {
      if (isNamed) copy(target)
      copyOne(target)
    } else if (isFolder(target) && (isNamed || !isOfProgram(target, modules))) {
      if (mayCopy(target)) copyFolder(target, isNamed ? 'copy' : actionFor(target))
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

  /** Returns what to do with TypeScript in a folder: beside bundled modules, it's the source of code. */
  function actionFor(folder: string): SourceAction {
    const isBelow = (file: string): boolean => file.startsWith(folder + path.sep)
    if (![...modules].some(isBelow)) return 'copy'
    // Code that loads the folder's modules by their names reads nothing else.
    return loadedByName.some(isBelow) ? 'skip' : 'report'
  }

  function copyFolder(folder: string, action: SourceAction): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const target = path.join(folder, entry.name)
      // Named files and folders are copied by themselves.
      if (SKIPPED.has(entry.name) || target === out || include.includes(target)) continue
      if (entry.isDirectory()) {
        if (mayCopy(target)) copyFolder(target, action)
      } else if (isFile(target)) {
        const isLeft = action !== 'copy' && isSource(target)
        if (!isLeft) copyOne(target)
        else if (action === 'report')
          leftOut.set(target, 'it is TypeScript in a folder of bundled modules')
      }
    }
  }

  function copyOne(file: string): void {
    const deployed = paths.of(file)
    if (modules.has(file) && !file.endsWith('.json')) {
      if (!hasFolders) return
      // Code that lists the folder finds its name.
      put(compiledName(deployed), (target) => writeFileSync(target, '// Part of the bundle.\n'))
      putPackageType(file)
    } else if (mayCopy(file)) {
      copy(file)
    }
  }

  function isSource(file: string): boolean {
    return isTypeScript(file) && !isPackageFile(file) && !modules.has(file)
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
