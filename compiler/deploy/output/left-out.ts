/** Keeps files out of a deployment that would get there by accident: secrets, and targets of links out of the project. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isPackageFile } from '../../util/paths.ts'

/** The files that were left out, with the reason. */
export type LeftOut = Map<string, string>

/** Returns true if a file or folder may be copied. Otherwise notes the reason in a `LeftOut`. */
export type MayCopy = (file: string) => boolean

/** Names of files and folders that usually contain secrets. */
const SECRETS = new RegExp(
  `^(?:${[
    String.raw`\.env.*|.+\.env(?:\..*)?`,
    // Settings of tools with passwords and tokens.
    String.raw`\.(?:npmrc|yarnrc\.yml|netrc|pgpass|pypirc|htpasswd|git-credentials|vault-token|my\.cnf|mylogin\.cnf|s3cfg|passwd-s3fs|boto|dockercfg|terraformrc|databrickscfg|secrets?|credentials)`,
    String.raw`_netrc|terraform\.rc|pgpass\.conf|rclone\.conf`,
    String.raw`\.(?:ssh|aws|azure|docker|gcloud|gnupg|kube)`,
    // What was typed, passwords included.
    String.raw`\.\w+_history|\.histfile`,
    // Not modules, which have to be where they are imported.
    String.raw`(?:.+[-_.])?(?:secrets?|credentials)\.(?!(?:.*\.)?[cm]?[jt]sx?$).+`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519).*`,
    String.raw`.+\.(?:key|p8|p12|pfx|jks|keystore|ppk|kdbx|tfstate|tfvars)`,
  ].join('|')})$`,
  'i',
)

/** Also with the four dashes of SSH2. */
const PRIVATE_KEY = /-{4,5} ?BEGIN (?:[A-Z\d]+ )*PRIVATE KEY/

/** Size of the largest file that is searched for a key, in bytes. */
const MAX_SEARCHED = 1_000_000

/**
 * @param folder the project: files whose real path is outside of it and of `included` are left out
 * @param included paths that the user included: a file is always copied, a folder without the secrets in it
 */
export function createCopyFilter(
  folder: string,
  included: readonly string[],
  leftOut: LeftOut,
): MayCopy {
  const folders = [folder, ...included].map(realOf)
  return (file) => {
    const reason = included.includes(file) ? undefined : whyNot(file)
    if (reason !== undefined) leftOut.set(file, reason)
    return reason === undefined
  }

  function whyNot(file: string): string | undefined {
    const real = realOf(file)
    // Files of installed packages were published, so they aren't secret.
    if (isPackageFile(real)) return undefined
    if (!folders.some((one) => real === one || real.startsWith(one + path.sep)))
      return 'it is outside of the project'
    // A link is left out for its own name and for the name of its target.
    const paths = [path.relative(folder, file), path.relative(realOf(folder), real)]
    if (paths.some((one) => one.split(path.sep).some((name) => SECRETS.test(name))))
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
  if (stat?.isFile() !== true || stat.size > MAX_SEARCHED) return false
  // In UTF-16, every other byte of ASCII is 0.
  return PRIVATE_KEY.test(readFileSync(file, 'latin1').replaceAll('\0', ''))
}
