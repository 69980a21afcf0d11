import { digestOf } from '../../runtime/artifact/digest.ts'
import { installedPackages } from '../versions/installed.ts'
import { compilerDigest } from './compiler-digest.ts'

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
  const packages = installedPackages().map(
    ({ name, version, within }) => `${within ?? ''} ${name} ${version}`,
  )
  return digestOf([process.version, ...packages, compilerDigest()].join('\n'))
}
