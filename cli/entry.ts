import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { artifactFolder, readBuilt } from '../compiler/built.ts'
import { isFile, packageRootOf } from '../compiler/options.ts'
import { refusal } from './parse.ts'

/**
 * The file that a command is about: the one that was given, the one that the artifact was built from, or `main` of
 * package.json.
 */
export function entryFor(given: string | undefined, out: string | undefined): string {
  const entry = given ?? readBuilt(artifactFolder(out))?.entry ?? mainOfPackage()
  if (entry !== undefined) return entry
  throw refusal(
    'There is no artifact here that tells which application it is: pass its entry file.',
  )
}

function mainOfPackage(): string | undefined {
  const root = packageRootOf(join(process.cwd(), 'x'))
  if (root === undefined) return undefined
  const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    main?: unknown
  }
  const file = typeof main === 'string' ? join(root, main) : undefined
  return file !== undefined && isFile(file) ? file : undefined
}
