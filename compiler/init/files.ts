/** Writes several files together: if one fails, the others are restored. */
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

export interface Writing {
  readonly file: string
  /** Its previous content; undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
}

/** Another process changed a file before it could be replaced. */
export class ChangedMeanwhile extends Error {
  readonly file: string

  constructor(file: string) {
    super('it has changed meanwhile')
    this.file = file
  }
}

/** Returns the file that a temporary file replaces. */
export function placeOf(name: string): string {
  return name.replace(/\.writing-\d+$/, '')
}

/**
 * Writes all temporary files first, then renames them into place. If a rename fails, the earlier ones are
 * undone.
 */
export function writeAll(writings: readonly Writing[]): void {
  const placed: Writing[] = []
  const temporary = new Map<Writing, string>()
  try {
    for (const writing of writings) {
      const { file, before, after } = writing
      if (textOf(file) !== before) throw new ChangedMeanwhile(file)
      const name = `${targetOf(file)}.writing-${process.pid}`
      temporary.set(writing, name)
      writeFileSync(name, after, { flag: 'wx' })
      if (before !== undefined) chmodSync(name, statSync(file).mode)
    }
    for (const [writing, name] of temporary) {
      renameSync(name, targetOf(writing.file))
      placed.push(writing)
    }
  } catch (error) {
    for (const { file, before } of placed) {
      if (before === undefined) rmSync(file)
      else writeFileSync(file, before)
    }
    throw error
  } finally {
    for (const name of temporary.values()) rmSync(name, { force: true })
  }
}

/** Replaces the target of a symbolic link, not the link. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
