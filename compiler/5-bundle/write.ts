import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Output } from '../model.ts'

const TEMPORARY = '.writing'

/**
 * Writes the artifact so that at every moment the folder holds a whole one.
 *
 * Chunk files are named after their content and are added first; the files that name them are replaced one
 * by one, each by a rename, each complete in itself; files that nothing names any more go last. A build that is
 * interrupted leaves some unused chunk files, which the next one removes.
 */
export function write({ parts, heads }: Output, out: string): void {
  for (const [file, code] of [...parts, ...heads]) place(join(out, file), code)
  const chunks = join(out, 'chunks')
  mkdirSync(chunks, { recursive: true })
  for (const name of readdirSync(chunks)) {
    if (!parts.has(`chunks/${name}`)) rmSync(join(chunks, name))
  }
  for (const name of readdirSync(out)) {
    if (name.endsWith(TEMPORARY)) rmSync(join(out, name))
  }
}

function place(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}${TEMPORARY}`
  writeFileSync(temporary, content)
  renameSync(temporary, file)
}
