import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Output } from '../model/index.ts'
import { HEADS } from './heads.ts'
import { isOurs } from './others.ts'

const TEMPORARY = '.writing'
const CHUNK = /\bc-[\w-]+\.(?:[cm]js|json|txt)\b/g
/** The user may have told the build to write where other files are. */
const isChunk = (name: string): boolean => /^c-[\w-]+\.(?:[cm]js|json|txt)$/.test(name)

/**
 * Writes the artifact so that at every moment the folder holds a whole one.
 *
 * Chunk files are named after their content and are added first; the files that name them are replaced one
 * by one, each by a rename, each complete in itself; files that nothing names any more go last. A build that is
 * interrupted leaves some unused chunk files, which the next one removes.
 *
 * The chunks of the artifact that was there before stay until another one is built: a process that was started with it
 * may not have loaded all of them yet.
 */
export function write({ parts, heads }: Output, out: string): void {
  const chunks = join(out, 'chunks')
  const before = new Map([...heads.keys()].map((head) => [head, textOf(join(out, head))]))
  const kept = new Set([...parts.keys()].map((file) => file.slice('chunks/'.length)))
  // What those name is there as well: they need not be read.
  for (const text of before.values()) addChunks(text, chunks, kept)
  const isSame = [...heads].every(([head, text]) => before.get(head) === text)
  for (const [file, code] of parts) {
    if (!holds(join(out, file), code)) place(join(out, file), code)
  }
  for (const [head, text] of heads) {
    if (before.get(head) !== text || !isFile(join(out, head))) place(join(out, head), text)
  }
  remove(out, (name) => heads.has(withoutEnding(name)) || isLeft(name))
  remove(
    chunks,
    (name) => isChunk(withoutEnding(name)) || (!isSame && isChunk(name) && !kept.has(name)),
  )

  /** What an artifact for another server had, and this one has not. */
  function isLeft(name: string): boolean {
    return HEADS.has(name) && !heads.has(name) && isOurs(join(out, name))
  }
}

/** The name of the file that a temporary one becomes; of other files nothing. */
function withoutEnding(name: string): string {
  return name.endsWith(TEMPORARY) ? name.slice(0, -TEMPORARY.length) : ''
}

function remove(folder: string, isOld: (name: string) => boolean): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name))
}

/** Adds the chunk files that a text mentions to `known`, and those that these mention. */
function addChunks(text: string | undefined, folder: string, known: Set<string>): void {
  for (const name of text?.match(CHUNK) ?? []) {
    if (known.has(name)) continue
    known.add(name)
    addChunks(textOf(join(folder, name)), folder, known)
  }
}

function holds(file: string, text: string): boolean {
  return isFile(file) && readFileSync(file, 'utf8') === text
}

/** A link may lead to the same text, and to somewhere else. */
function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function place(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}${TEMPORARY}`
  // Anew: in its place there may be a link to somewhere else.
  rmSync(temporary, { force: true })
  writeFileSync(temporary, content, { flag: 'wx' })
  renameSync(temporary, file)
}
