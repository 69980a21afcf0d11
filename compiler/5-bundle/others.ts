import { closeSync, lstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Output } from '../model/index.ts'

/** What every module of an artifact begins with. Whoever reads it shall know, and so does the next build. */
export const NOTE =
  '// Written by `framework build`. Do not edit: the runtime refuses what it did not write.\n'

/** What a build would do to the files of others. */
export type Harm =
  /** A file that no build has written would be replaced. */
  | { readonly type: 'replace'; readonly file: string }
  /** A folder is a link to somewhere else. */
  | { readonly type: 'leave'; readonly file: string; readonly target: string }

/** Looks whether anything in the way of an artifact belongs to somebody else. */
export function harmTo({ heads }: Output, out: string): Harm | undefined {
  const chunks = join(out, 'chunks')
  if (isThere(chunks)) {
    const target = realpathSync(chunks)
    if (!isWithin(target, realpathSync(out))) return { type: 'leave', file: chunks, target }
  }
  for (const head of heads.keys()) {
    const file = join(out, head)
    if (isThere(file) && !isOurs(file)) return { type: 'replace', file }
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

/** A link is not: a build writes none. */
export function isOurs(file: string): boolean {
  // Writing fails there, and says why.
  if (lstatSync(file).isDirectory()) return true
  if (!lstatSync(file).isFile()) return false
  const isWritten = (text: string): boolean =>
    file.endsWith('.json') ? MANIFEST.test(text) : text.includes(NOTE.trim().slice(3))
  return isWritten(beginningOf(file)) || isWritten(readFileSync(file, 'utf8'))
}

/** Files of an artifact may have megabytes. */
function beginningOf(file: string): string {
  const bytes = Buffer.alloc(4096)
  const descriptor = openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

/** How a manifest begins. Not as JSON, and the note of modules not at the very start: a file that was damaged is ours. */
const MANIFEST = /"format": \d+,\s+"version": "[^"]*",\s+"compilers": \{/
