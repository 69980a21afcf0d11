import { digestOf } from '../../runtime/artifact/digest.ts'
import { installedPackages } from '../versions/installed.ts'
import { compilerDigest } from './compiler-digest.ts'

/**
 * Identifies this compiler by the content of its files, the versions of the packages that it uses, and the version of
 * Node. The version of the compiler alone isn't enough, because it stays the same while somebody works on it.
 */
export function compilerFingerprint(): string {
  return (cached ??= compute())
}

/** Code that this process has loaded doesn't change. */
let cached: string | undefined

function compute(): string {
  const packages = installedPackages().map(
    ({ name, version, within }) => `${within ?? ''} ${name} ${version}`,
  )
  return digestOf([process.version, ...packages, compilerDigest()].join('\n'))
}
