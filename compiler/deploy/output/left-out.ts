/** Keeps files out of a deployment that get there by accident: secrets, and what links outside of the project lead to. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isPackageFile } from '../../util/paths.ts'

/** Reasons by file. */
export type LeftOut = Map<string, string>

/** Returns whether a file or folder may be copied, and notes it otherwise. */
export type MayCopy = (file: string) => boolean

/** Names of files and folders. */
const SECRETS =
  /^(?:\.env.*|.+\.env(?:\..*)?|\.(?:npmrc|yarnrc\.yml|netrc|pgpass|pypirc|htpasswd|git-credentials|vault-token)|\.(?:ssh|aws|azure|docker|gcloud|gnupg|kube)|id_(?:rsa|dsa|ecdsa|ed25519).*|.+\.(?:key|p12|pfx|jks|keystore|ppk|kdbx|tfstate|tfvars))$/i

const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY/

/** Size of the largest file that is searched for a key, in bytes. */
const LARGEST = 1_000_000

/**
 * @param folder files whose real path is outside of it are left out
 * @param named by the user, so they are copied in any case
 */
export function createLeftOut(folder: string, named: readonly string[], leftOut: LeftOut): MayCopy {
  const folders = [folder, ...named].map(realOf)
  return (file) => {
    const reason = named.includes(file) ? undefined : whyNot(file)
    if (reason !== undefined) leftOut.set(file, reason)
    return reason === undefined
  }

  function whyNot(file: string): string | undefined {
    const real = realOf(file)
    // Packages are published with all of their files.
    if (isPackageFile(real)) return undefined
    if (!folders.some((one) => real === one || real.startsWith(one + path.sep)))
      return 'it is outside of the project'
    const names = [path.relative(folder, file), path.relative(realOf(folder), real)]
    if (names.some((one) => one.split(path.sep).some((name) => SECRETS.test(name))))
      return 'files of that name contain secrets'
    return containsKey(real) ? 'it contains a private key' : undefined
  }
}

/** Returns the path itself if a link leads nowhere. */
function realOf(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file)
}

/** Returns modules of the application that contain a private key, such as an imported JSON file of a service account. */
export function modulesWithKeys(modules: Iterable<string>): readonly string[] {
  return [...modules].filter((file) => !isPackageFile(file) && containsKey(file)).sort()
}

function containsKey(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > LARGEST) return false
  return PRIVATE_KEY.test(readFileSync(file, 'latin1'))
}
