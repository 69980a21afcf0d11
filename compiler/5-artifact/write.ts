import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Output } from '../model/index.ts'
import { writeWhole } from '../util/atomic-write.ts'
import { ENTRY_FILES } from './entry-files.ts'
import { isOwnFile } from './overwrite-conflict.ts'

/** The end of temporary names, see `writeWhole`. */
const TEMPORARY = /\.writing-\d+$/
/** Matches the names of chunk files in a text. */
const CHUNK = /\bc-[\w-]+\.(?:cjs|json)\b/g
/** Matches the names of chunk files. Other files in the folder stay. */
const isChunk = (name: string): boolean => /^c-[\w-]+\.(?:cjs|json)$/.test(name)

/**
 * Writes the artifact. The previous one stays usable meanwhile.
 *
 * Chunk files are named after their content and are added first. Then each entry file, which names chunks, is replaced by a
 * rename. Unused files are removed last. A build that is interrupted leaves unused chunk files, which a later one removes.
 *
 * The chunks of the previous artifact for the same server stay until yet another one is built: a process that was started with it may not have
 * loaded all of them.
 */
export function write({ parts, entryFiles }: Output, out: string): void {
  const chunks = join(out, 'chunks')
  const previous = new Map([...entryFiles.keys()].map((name) => [name, textOf(join(out, name))]))
  const keptChunks = new Set([...parts.keys()].map((file) => file.slice('chunks/'.length)))
  for (const text of previous.values()) {
    for (const name of text?.match(CHUNK) ?? []) keptChunks.add(name)
  }
  const isSame = [...entryFiles].every(([name, text]) => previous.get(name) === text)
  for (const [file, code] of parts) {
    if (!hasContent(join(out, file), code)) writeWhole(join(out, file), code)
  }
  for (const [name, text] of entryFiles) {
    if (previous.get(name) !== text || !isFile(join(out, name))) writeWhole(join(out, name), text)
  }
  remove(out, (name) => entryFiles.has(finalName(name)) || isOfOtherServer(name))
  remove(
    chunks,
    (name) => isChunk(finalName(name)) || (!isSame && isChunk(name) && !keptChunks.has(name)),
  )

  /** Returns whether a file is the entry file of an artifact for another server. */
  function isOfOtherServer(name: string): boolean {
    return ENTRY_FILES.has(name) && !entryFiles.has(name) && isOwnFile(join(out, name))
  }
}

/** Returns the final name of a temporary file, and '' for other files. */
function finalName(name: string): string {
  return TEMPORARY.test(name) ? name.replace(TEMPORARY, '') : ''
}

function remove(folder: string, isOld: (name: string) => boolean): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name))
}

function hasContent(file: string, text: string): boolean {
  return isFile(file) && readFileSync(file, 'utf8') === text
}

/** Excludes links, which may lead to the same text elsewhere. */
function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
