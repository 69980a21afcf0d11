import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { installedPackages } from '../versions/installed.ts'

/** The folder that holds `compiler/` and `runtime/`. */
const home = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Says which compiler this is: the content of its files, the versions of the packages that it uses, and the version
 * of Node that runs it. Not its version alone, which stays the same while somebody works on it.
 */
export function compilerPrint(): string {
  return (known ??= print())
}

/** What this process has loaded does not change. */
let known: string | undefined

function print(): string {
  const parts = [process.version]
  for (const { name, version, within } of installedPackages())
    parts.push(`${within ?? ''} ${name} ${version}`)
  for (const folder of ['compiler', 'runtime/artifact']) {
    const files = readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((file) => file.endsWith('.js')).sort()) {
      parts.push(file, readFileSync(join(home, folder, file), 'utf8'))
    }
  }
  return digestOf(parts.join('\n'))
}
