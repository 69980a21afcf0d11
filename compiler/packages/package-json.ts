import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PackageJson {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** @param file a file of an installed package */
export function packageJsonOf(file: string): PackageJson {
  const text = readFileSync(join(folderOf(file), 'package.json'), 'utf8')
  return JSON.parse(text) as PackageJson
}

function folderOf(file: string): string {
  const [folder = ''] = /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []
  return folder
}
