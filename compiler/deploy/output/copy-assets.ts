import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeployment } from '../../5-artifact/read/reader.ts'
import { isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isFile, isFolder, isPackageFile, packageRootOf } from '../../util/paths.ts'
import { compiledName } from '../deployment-paths.ts'
import type { BundledApplication } from '../bundle-application.ts'
import type { Platform } from '../targets/platform.ts'
import { sourceOf } from '../assets.ts'
import type { LeftOut, MayCopy } from './left-out.ts'

/** Skipped while copying a folder. They are copied only if the code or the user names them. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.framework'])

/**
 * Copies the files that modules or the user name, and writes files in place of bundled modules and programs. Returns all their paths in the deployment.
 *
 * @param out the folder that the program is written to; `package.json` is there already
 * @param include files and folders that the user named
 */
export function copyAssets(
  { assets, paths, loadedByName, bundled: { format, modules, programs } }: BundledApplication,
  out: string,
  { environment: { hasNode }, programFolder = '' }: Platform,
  include: readonly string[],
  mayCopy: MayCopy,
  leftOut: LeftOut,
): readonly string[] {
  const copied = new Set<string>()
  // Before the folders, which may contain programs: these are modules of the bundle as well.
  for (const [target, { file, exports }] of programs) putProgram(target, file, exports)
  for (const target of include) {
    if (isFile(target)) copy(target)
    else copyFolder(target, false)
  }
  for (const target of [...assets.paths].sort()) {
    if (isFile(target)) copyOne(target)
    else if (isFolder(target) && !isOfProgram(target, modules) && mayCopy(target))
      copyFolder(target, true)
  }
  return [...copied].sort()

  /** Writes a file that loads the bundled program and has its exports, in the module kind of its source. */
  function putProgram(target: string, file: string, exports: readonly string[]): void {
    const deployed = compiledName(paths.of(target))
    const from = JSON.stringify(path.posix.relative(path.posix.dirname(deployed), file))
    const source = sourceOf(target) ?? target
    const isCommonJs = moduleKindOf(source) === 'commonjs'
    const code = isCommonJs ? requireProgram(from, exports) : importProgram(from, exports)
    put(deployed, (to) => writeFileSync(to, `${code}\n`))
    putPackageType(source)
  }

  function requireProgram(from: string, exports: readonly string[]): string {
    // `require` of an ES module fails if that waits for something. Pools that get a promise wait for it.
    const load =
      format === 'es'
        ? `import(${from}).then((chunk) => chunk.default)`
        : `require(${from}).default`
    return exports.includes('default') ? `module.exports = ${load}` : `import(${from})`
  }

  function importProgram(from: string, exports: readonly string[]): string {
    if (exports.length === 0) return `import ${from}`
    const others = `export * from ${from}`
    if (!exports.includes('default')) return others
    const value = format === 'es' ? 'chunk' : 'chunk.default'
    return `import chunk from ${from}\nexport default ${value}\n${others}`
  }

  /** @param mayHaveSource whether TypeScript beside bundled modules stays out */
  function copyFolder(folder: string, mayHaveSource: boolean): void {
    const isBelow = (file: string): boolean => file.startsWith(folder + path.sep)
    const hasSource = mayHaveSource && [...modules].some(isBelow)
    // Code that loads the folder's modules by their names probably reads nothing else.
    const reportsSource = !loadedByName.some(isBelow)
    for (const file of filesBelow(folder)) {
      const isSource = hasSource && isTypeScript(file) && !isPackageFile(file) && !modules.has(file)
      if (!isSource) copyOne(file)
      else if (reportsSource && !copied.has(paths.of(file)) && !/\.d\.[cm]?ts$/.test(file))
        leftOut.set(file, 'it is TypeScript in a folder of bundled modules')
    }
  }

  function filesBelow(folder: string): readonly string[] {
    // The output folder may be in the project: the last deployment, and this one, which is written beside it, have a package.json by now.
    if (isDeployment(path.join(folder, programFolder))) return []
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const target = path.join(folder, entry.name)
      if (SKIPPED.has(entry.name)) return []
      if (entry.isDirectory()) return mayCopy(target) ? filesBelow(target) : []
      if (isFile(target)) return [target]
      if (isFolder(target) && !include.includes(target))
        leftOut.set(target, 'it is a link to a folder')
      return []
    })
  }

  function copyOne(file: string): void {
    const deployed = paths.of(file)
    if (modules.has(file) && !file.endsWith('.json')) {
      if (!hasNode) return
      // Code that lists the folder finds its name.
      put(deployed, (target) => writeFileSync(target, '// Part of the bundle.\n'))
      putPackageType(file)
    } else if (mayCopy(file)) {
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

/** Checks for folders of packages and around the application, which code mostly names to reach files in them. */
function isOfProgram(folder: string, modules: ReadonlySet<string>): boolean {
  if (isFile(path.join(folder, 'package.json'))) return true
  const applicationFiles = [...modules].filter((file) => !isPackageFile(file))
  return (
    applicationFiles.length > 0 &&
    applicationFiles.every((file) => file.startsWith(folder + path.sep))
  )
}
