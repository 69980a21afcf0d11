/** Replaces the output folder of a deployment. */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isFolder, isWithin } from '../../util/paths.ts'
import { isFileError } from '../../util/source-files.ts'
import { CACHE_FOLDER } from '../deployment-paths.ts'
import { isDeployment } from '../../5-artifact/read/reader.ts'

/** The package.json of a deployment, with its files. */
interface Listing {
  readonly files?: readonly string[]
}

/** The folder of a deployment. A new one is written beside it before it replaces the last one. */
export class OutputFolder {
  readonly temporary: string
  readonly #out: string
  readonly #root: string
  readonly #program: string

  /**
   * @param root the folder of the application
   * @param programFolder the folder in `out` with the package.json of the deployment
   */
  constructor(out: string, root: string, programFolder = '') {
    this.temporary = `${out}.writing-${process.pid}`
    this.#out = out
    this.#root = root
    this.#program = programFolder
  }

  /** Returns why the folder can't be replaced, for example because it contains something else than a deployment. */
  obstacle(): string | undefined {
    const out = this.#out
    if (!existsSync(out)) return undefined
    try {
      if (!isFolder(out)) return "it isn't a folder"
      if (isWithin(realpathSync(this.#root), realpathSync(out)))
        return 'it contains the application'
      const isOurs = readdirSync(out).length === 0 || isDeployment(path.join(out, this.#program))
      return isOurs ? undefined : "it contains files that aren't part of a deployment"
    } catch (error) {
      if (!isFileError(error)) throw error
      return error.message
    }
  }

  /** Replaces the last deployment by the new one. Returns why that isn't possible. */
  replace(): string | undefined {
    const packageJson = path.join(this.#program, 'package.json')
    // Lists the files, so that the next deployment keeps all others.
    const file = path.join(this.temporary, packageJson)
    const files = filesBelow(this.temporary).sort()
    const listing = JSON.parse(readFileSync(file, 'utf8')) as Listing
    writeFileSync(file, `${JSON.stringify({ ...listing, files })}\n`)
    const replaced = this.#keepOthers(path.join(this.#out, packageJson))
    if (replaced !== undefined)
      return `it contains "${replaced}", which no deployment has written and this one would replace`
    replaceFolder(this.temporary, this.#out)
    return undefined
  }

  /** Copies files that no deployment has written to the new one. Returns one that the new one would replace. */
  #keepOthers(packageJson: string): string | undefined {
    if (!existsSync(packageJson)) return undefined
    const { files = [] } = JSON.parse(readFileSync(packageJson, 'utf8')) as Listing
    const deployed = new Set(files)
    const others = filesBelow(this.#out).filter((one) => !deployed.has(one))
    const replaced = others.find((one) => existsSync(path.join(this.temporary, one)))
    if (replaced !== undefined) return replaced
    for (const one of others) {
      const settings = { preserveTimestamps: true, verbatimSymlinks: true }
      cpSync(path.join(this.#out, one), path.join(this.temporary, one), settings)
    }
    return undefined
  }

  /** Restores the last deployment after an interruption, and removes temporary folders. */
  restore(): void {
    const out = this.#out
    const folder = path.dirname(out)
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const [suffix, kind, id] = /\.(writing|old)-(\d+)$/.exec(name) ?? []
      const isOurs = suffix !== undefined && name === path.basename(out) + suffix
      if (!isOurs || isRunning(Number(id))) continue
      const temporary = path.join(folder, name)
      if (kind === 'old' && !existsSync(out)) renameSync(temporary, out)
      else rmSync(temporary, { recursive: true, force: true })
    }
  }
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
 * Replaces a folder by another one. A reader sees a complete folder, or between the two renames none. `restore` repairs what an
 * interruption there leaves behind.
 */
function replaceFolder(from: string, out: string): void {
  const old = `${out}.old-${process.pid}`
  for (;;) {
    rmSync(old, { recursive: true, force: true })
    if (existsSync(out)) ignoring(['ENOENT'], () => renameSync(out, old))
    // A concurrent deployment may have placed its folder meanwhile.
    const isPlaced = ignoring(['ENOTEMPTY', 'EEXIST'], () => renameSync(from, out))
    if (isPlaced) break
  }
  rmSync(old, { recursive: true, force: true })
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
