import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf } from '../../runtime/artifact/digest.ts'

/** The folder that holds `compiler/` and `runtime/`. */
const home = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Tells compilers apart by the content of their files. To read these takes an eighth of a build that has nothing else to do: where
 * the compiler is joined to a few files (packaging/joined.js), what this gives stands in its place.
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
