/** The artifact is built, not committed. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileChange } from './changes.ts'

const FILE = '.gitignore'
const LINE = '.framework/'

/** All ways to name it that people write. */
const NAMED = /^(?:\/|\*\*\/)?\.framework(?:\/\**)?\s*$/m

/** Outside of Git only a file that is there is added to. */
export function ignoreFor(folder: string): readonly FileChange[] {
  const repository = repositoryOf(folder)
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, FILE)
    if (existsSync(file) && NAMED.test(readFileSync(file, 'utf8'))) return []
    if (at === (repository ?? folder)) break
  }
  const file = join(folder, FILE)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (before === undefined && repository === undefined) return []
  const end = before?.includes('\r\n') === true ? '\r\n' : '\n'
  const isOpen = before !== undefined && before !== '' && !before.endsWith('\n')
  const after = `${before ?? ''}${isOpen ? end : ''}${LINE}${end}`
  return [{ file: FILE, before, after, changes: [LINE] }]
}

function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}
