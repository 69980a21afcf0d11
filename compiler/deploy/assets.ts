import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isFile, packageRootOf } from '../util/paths.ts'
import { isPackageFile, isTypeScript, moduleKindOf } from './module-kind.ts'
import { compiledName } from './places.ts'
import type { Places } from './places.ts'
import { isFolder } from './write.ts'

/** What the modules of a bundle name, by absolute paths. */
export interface Assets {
  /** Files and folders that are read. */
  readonly paths: Set<string>
  /** Modules that are started as threads and processes. */
  readonly programs: Set<string>
  /** Modules that load others by names that are not written down. */
  readonly unknownNames: Set<string>
  /** Paths where nothing is, with the module of the application that names them, and the text that it has for them. */
  readonly missing: Map<string, NamedBy>
}

export interface NamedBy {
  readonly file: string
  readonly text: string
}

export function createAssets(): Assets {
  return { paths: new Set(), programs: new Set(), unknownNames: new Set(), missing: new Map() }
}

/** The file that has a path once it is compiled. */
export function sourceOf(target: string): string | undefined {
  const stem = target.replace(/\.([cm]?)jsx?$/, '')
  const letter = /\.([cm])jsx?$/.exec(target)?.[1] ?? ''
  return [target, `${stem}.${letter}ts`, `${stem}.${letter}tsx`].find(isFile)
}

export interface AssetContext {
  readonly places: Places
  /** The modules of the bundle. */
  readonly modules: ReadonlySet<string>
  /** The files of modules that are started by their paths. */
  readonly started: ReadonlyMap<string, string>
  /** The folder of the deployment. */
  readonly out: string
  /** Whether folders can be read where it runs. */
  readonly hasFolders: boolean
}

/** Copies what the modules name. Returns the places of the files. */
export function copyAssets(assets: Assets, context: AssetContext): readonly string[] {
  const copied = new Set<string>()
  for (const target of [...assets.paths].sort()) {
    if (isFile(target)) copyOne(target)
    else if (isFolder(target) && !holdsItsReaders(target, context.modules)) copyFolder(target)
  }
  for (const [target, file] of context.started) putProgram(target, file)
  return [...copied].sort()

  /** In the module system that Node takes the file there for. */
  function putProgram(target: string, file: string): void {
    const place = compiledName(context.places.of(target))
    const from = JSON.stringify(path.posix.relative(path.posix.dirname(place), file))
    const isCommonJs = moduleKindOf(sourceOf(target) as string) === 'commonjs'
    put(place, (to) => writeFileSync(to, isCommonJs ? `import(${from})\n` : `import ${from}\n`))
    putPackageType(sourceOf(target) as string)
  }

  function copyFolder(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const target = path.join(folder, entry.name)
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      if (entry.isDirectory()) copyFolder(target)
      else if (isFile(target)) copyOne(target)
    }
  }

  function copyOne(file: string): void {
    const place = context.places.of(file)
    if (context.modules.has(file) && !file.endsWith('.json')) {
      if (!context.hasFolders) return
      // It is in the bundle; who reads the folder is to find its name.
      put(compiledName(place), (target) => writeFileSync(target, '// Part of the bundle.\n'))
      putPackageType(file)
    } else if (isPackageFile(file) || !isTypeScript(file)) {
      copy(file)
    }
  }

  function putPackageType(file: string): void {
    const root = packageRootOf(file)
    if (root !== undefined) copy(path.join(root, 'package.json'))
  }

  function copy(file: string): void {
    put(context.places.of(file), (target) => {
      copyFileSync(file, target)
      // What serves files tells when they were changed.
      const { atime, mtime } = statSync(file)
      utimesSync(target, atime, mtime)
    })
  }

  function put(place: string, write: (target: string) => void): void {
    if (copied.has(place)) return
    copied.add(place)
    const target = path.join(context.out, place)
    mkdirSync(path.dirname(target), { recursive: true })
    write(target)
  }
}

/** A folder around the program itself is named to come to what lies in it. */
function holdsItsReaders(folder: string, modules: ReadonlySet<string>): boolean {
  return (
    isFile(path.join(folder, 'package.json')) ||
    isFolder(path.join(folder, 'node_modules')) ||
    holdsAll(folder, modules)
  )
}

function holdsAll(folder: string, modules: ReadonlySet<string>): boolean {
  const own = [...modules].filter((file) => !isPackageFile(file))
  return own.length > 0 && own.every((file) => file.startsWith(folder + path.sep))
}
