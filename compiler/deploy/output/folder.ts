/** Replaces the output folder of a deployment. */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isFolder } from '../../util/paths.ts'
import { isFileError } from '../../util/source-files.ts'
import { CACHE_FOLDER } from '../deployment-paths.ts'
import { isDeployment } from '../../artifact/reader.ts'

/** Returns the folder in which a deployment is written before it replaces the last one. */
export function temporaryFolder(out: string): string {
  return `${out}.writing-${process.pid}`
}

/** Returns why a folder must not be replaced: it contains something else than a deployment. */
export function obstacleTo(out: string, programFolder = ''): string | undefined {
  if (!existsSync(out)) return undefined
  try {
    if (!isFolder(out)) return "it isn't a folder"
    const isOurs = readdirSync(out).length === 0 || isDeployment(path.join(out, programFolder))
    return isOurs ? undefined : "it contains files that aren't part of a deployment"
  } catch (error) {
    if (!isFileError(error)) throw error
    return error.message
  }
}

/** The package.json of a deployment, with its files; deployments of earlier versions don't list them. */
interface Listing {
  readonly files?: readonly string[]
}

/** Lists the files of a deployment in its package.json, so that the next one keeps all others. */
export function listFiles(folder: string, programFolder = ''): void {
  const file = path.join(folder, programFolder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Listing
  const files = filesBelow(folder).sort()
  writeFileSync(file, `${JSON.stringify({ ...manifest, files })}\n`)
}

/**
 * Copies files that no deployment has written from the last deployment to the next one.
 *
 * @param folder the next one, complete
 * @returns a file that the next one would replace
 */
export function keepOthers(out: string, folder: string, programFolder = ''): string | undefined {
  const file = path.join(out, programFolder, 'package.json')
  if (!existsSync(file)) return undefined
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as Listing
  if (files === undefined) return undefined
  const own = new Set(files)
  const others = filesBelow(out).filter((one) => !own.has(one))
  const replaced = others.find((one) => existsSync(path.join(folder, one)))
  if (replaced !== undefined) return replaced
  for (const one of others) {
    const settings = { preserveTimestamps: true, verbatimSymlinks: true }
    cpSync(path.join(out, one), path.join(folder, one), settings)
  }
  return undefined
}

/** Returns the files and links of a folder, without those that Node caches. */
function filesBelow(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name)
    if (entry.isDirectory()) return name === CACHE_FOLDER ? [] : filesBelow(folder, name)
    return entry.isFile() || entry.isSymbolicLink() ? [name] : []
  })
}

/**
 * Replaces a folder by another one. A reader sees one of them complete. `restore` repairs what an interruption between the two renames
 * leaves behind.
 */
export function replaceFolder(from: string, out: string): void {
  const old = `${out}.old-${process.pid}`
  for (;;) {
    rmSync(old, { recursive: true, force: true })
    if (existsSync(out)) ignoring(['ENOENT'], () => renameSync(out, old))
    // Another deployment may have been faster.
    const isPlaced = ignoring(['ENOTEMPTY', 'EEXIST'], () => renameSync(from, out))
    if (isPlaced) break
  }
  rmSync(old, { recursive: true, force: true })
}

/** Restores the last deployment after an interruption, and removes temporary folders. */
export function restore(out: string): void {
  const folder = path.dirname(out)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const [, kind, id] = /\.(writing|old)-(\d+)$/.exec(name) ?? []
    if (kind === undefined || !name.startsWith(`${path.basename(out)}.`) || isRunning(Number(id))) {
      continue
    }
    const temporary = path.join(folder, name)
    if (kind === 'old' && !existsSync(out)) renameSync(temporary, out)
    else rmSync(temporary, { recursive: true, force: true })
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns whether `act` succeeded; errors with these codes are ignored. */
function ignoring(codes: readonly string[], act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!codes.includes(code)) throw error
    return false
  }
}
