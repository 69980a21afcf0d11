import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Output } from '../model/index.ts'

const NOTE_TEXT =
  'Written by `framework build`. Do not edit: the runtime refuses what it did not write.'

/** The first line of every module of an artifact. Later builds recognise their own files by its text. */
export const NOTE: string = `// ${NOTE_TEXT}\n`

/** Something in the output folder that a build must not touch. */
export type OverwriteConflict =
  /** A file with the name of an entry file that no build has written. */
  | { readonly type: 'replace'; readonly file: string }
  /** A folder that is a link to somewhere else. */
  | { readonly type: 'leave'; readonly file: string; readonly target: string }

/** Finds what writing the artifact to `out` would damage. */
export function overwriteConflict(
  { entryFiles }: Output,
  out: string,
): OverwriteConflict | undefined {
  const chunks = join(out, 'chunks')
  if (isThere(chunks)) {
    const target = realpathSync(chunks)
    if (!isWithin(target, realpathSync(out))) return { type: 'leave', file: chunks, target }
  }
  for (const name of entryFiles.keys()) {
    const file = join(out, name)
    if (isThere(file) && !isOwnFile(file)) return { type: 'replace', file }
  }
  return undefined
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

function isWithin(path: string, folder: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..' && path !== folder
}

/** Returns whether a build has written the file. Builds never write links. */
export function isOwnFile(file: string): boolean {
  const stats = lstatSync(file)
  // Writing to a folder fails, with an error that says why.
  if (stats.isDirectory()) return true
  if (!stats.isFile()) return false
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.json') ? MANIFEST.test(text) : text.includes(NOTE_TEXT)
}

/**
 * The beginning of a manifest. It isn't parsed as JSON, and the note of a module need not be at its very start, so that a build can
 * replace damaged files.
 */
const MANIFEST = /"format": \d+,\s+"version": "[^"]*",\s+"compilers": \{/
