/** Writes several files so that each of them is either as it was or as it is to be. */
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
  /** What it held; `undefined` when it is new. */
  readonly before: string | undefined
  readonly after: string
}

/** Another process has changed a file that was about to be replaced. */
export class ChangedMeanwhile extends Error {
  readonly file: string

  constructor(file: string) {
    super('it has changed meanwhile')
    this.file = file
  }
}

/** The file that one is written for which is put in its place. */
export function placeOf(name: string): string {
  return name.replace(/\.writing-\d+$/, '')
}

/** Everything is written beside its place before anything is put in its place; what fails then is taken back. */
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

/** A link stays one. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
