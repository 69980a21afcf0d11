import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf } from '../../runtime/artifact/digest.ts'

/** The folder that holds `compiler/` and `runtime/`. */
const home = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Digest of all files of the compiler, and of `runtime/artifact`. Reading them takes an eighth of a build that has nothing else to do, so
 * packaging replaces this module by its result where the compiler is joined to a few files.
 */
export function compilerDigest(): string {
  const parts: string[] = []
  for (const folder of ['compiler', 'runtime/artifact']) {
    const files = readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((file) => file.endsWith('.js')).sort()) {
      parts.push(file, readFileSync(join(home, folder, file), 'utf8'))
    }
  }
  return digestOf(parts.join('\n'))
}
