import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { isDeployment } from '../artifact/reader.ts'
import type { OutsidePackage } from './outside.ts'
import { folderOf } from './outside.ts'

export function isFolder(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Where a deployment is put together before it takes its place. */
export function temporaryFolder(out: string): string {
  return `${out}.writing-${process.pid}`
}

/**
 * Why a folder must not be replaced: it holds something else than a deployment.
 *
 * @param program where in a deployment the program lies
 */
export function obstacleTo(out: string, program = ''): string | undefined {
  if (!existsSync(out)) return undefined
  if (!isFolder(out)) return 'it is no folder'
  if (readdirSync(out).length === 0 || isDeployment(path.join(out, program))) return undefined
  return 'it holds other files than those of a deployment'
}

/**
 * Puts a complete folder in the place of another one. Whoever looks finds one of them whole; what an interruption between
 * both renames leaves is put back by the next `restore`.
 */
export function replaceFolder(from: string, out: string): void {
  const old = `${out}.old-${process.pid}`
  for (;;) {
    rmSync(old, { recursive: true, force: true })
    if (existsSync(out)) ignoring('ENOENT', () => renameSync(out, old))
    // Another deployment may have come between.
    const isPlaced = ignoring(['ENOTEMPTY', 'EEXIST'], () => renameSync(from, out))
    if (isPlaced) break
  }
  rmSync(old, { recursive: true, force: true })
}

/** Puts back what an interrupted deployment has moved away, and removes what it has left. */
export function restore(out: string): void {
  const folder = path.dirname(out)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const [, kind, id] = /\.(writing|old)-(\d+)$/.exec(name) ?? []
    if (kind === undefined || !name.startsWith(`${path.basename(out)}.`) || isRunning(Number(id))) {
      continue
    }
    const left = path.join(folder, name)
    if (kind === 'old' && !existsSync(out)) renameSync(left, out)
    else rmSync(left, { recursive: true, force: true })
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether it was done. */
function ignoring(codes: string | readonly string[], act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (![codes].flat().includes(code)) throw error
    return false
  }
}

/** Copies packages with all that they depend on, so that each finds what it found. */
export function copyPackages(packages: Iterable<OutsidePackage>, out: string): readonly string[] {
  const copied = new Map<string, string>()
  for (const one of packages) copy(one, path.join(out, 'node_modules'))
  return [...copied.keys()].sort()

  function copy({ name, folder }: OutsidePackage, modules: string): void {
    const real = realpathSync(folder)
    const target = path.join(modules, name)
    if (copied.get(target) === real) return
    copied.set(target, real)
    mkdirSync(path.dirname(target), { recursive: true })
    cpSync(real, target, {
      recursive: true,
      dereference: true,
      filter: (source) => path.basename(source) !== 'node_modules' || source === real,
    })
    for (const dependency of dependenciesOf(real)) {
      const top = path.join(out, 'node_modules', dependency.name)
      const known = copied.get(top)
      const isFree = known === undefined || known === realpathSync(dependency.folder)
      copy(dependency, isFree ? path.join(out, 'node_modules') : path.join(target, 'node_modules'))
    }
  }
}

/** The installed ones; what is optional may be missing. */
function dependenciesOf(folder: string): OutsidePackage[] {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    const found = folderOf(name, folder)
    return found === undefined ? [] : [{ name, folder: found }]
  })
}
