/** Adds build output to `.gitignore`. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearestFolder } from '../../compiler/util/paths.ts'
import type { FileChange } from './changes.ts'

const FILE = '.gitignore'

/** Matches all usual spellings of a folder. */
const named = (name: string): RegExp =>
  new RegExp(`^(?:/|\\*\\*/)?${name.replace('.', '\\.')}(?:/\\**)?\\s*$`, 'm')

/**
 * Outside of Git, only an existing `.gitignore` is changed.
 *
 * @param line the line to add
 */
export function ignoreFor(folder: string, line = '.framework/'): readonly FileChange[] {
  const isNamed = named(line.replace('/', ''))
  const repository = nearestFolder(folder, '.git')
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, FILE)
    if (existsSync(file) && isNamed.test(readFileSync(file, 'utf8'))) return []
    if (at === (repository ?? folder)) break
  }
  const file = join(folder, FILE)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (before === undefined && repository === undefined) return []
  const end = before?.includes('\r\n') === true ? '\r\n' : '\n'
  const lacksLineFeed = before !== undefined && before !== '' && !before.endsWith('\n')
  const after = `${before ?? ''}${lacksLineFeed ? end : ''}${line}${end}`
  return [{ file: FILE, before, after, changes: [line] }]
}
