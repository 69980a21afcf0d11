/** Replaces the output folder of a deployment. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isFolder } from '../../util/paths.ts'
import { isDeployment } from '../../artifact/reader.ts'

/** Returns the folder in which a deployment is written before it replaces the last one. */
export function temporaryFolder(out: string): string {
  return `${out}.writing-${process.pid}`
}

/** Returns why a folder must not be replaced: it contains something else than a deployment. */
export function obstacleTo(out: string, programFolder = ''): string | undefined {
  if (!existsSync(out)) return undefined
  if (!isFolder(out)) return "it isn't a folder"
  if (readdirSync(out).length === 0 || isDeployment(path.join(out, programFolder))) return undefined
  return "it contains files that aren't part of a deployment"
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
