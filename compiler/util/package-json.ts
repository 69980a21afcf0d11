import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFile } from './paths.ts'

/** The members of package.json that the compiler reads. */
export interface PackageJson {
  readonly name?: string
  readonly version?: string
  readonly type?: string
  readonly main?: unknown
  readonly exports?: unknown
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly workspaces?: unknown
  readonly license?: string | { readonly type?: string }
  /** Settings of packages with native binaries. */
  readonly gypfile?: boolean
  readonly binary?: unknown
  readonly napi?: unknown
}

/** Reads the package.json of a folder; empty if there is none. */
export function packageJsonIn(folder: string): PackageJson {
  const file = join(folder, 'package.json')
  if (!isFile(file)) return {}
  return parsePackageJson(readFileSync(file, 'utf8'))
}

/** Parses the text of a package.json. Like npm and Node, it ignores a byte order mark. */
export function parsePackageJson(text: string): PackageJson {
  return JSON.parse(text.replace(/^\uFEFF/, '')) as PackageJson
}

/** Returns whether a script lets fastify-cli create the instance with what the entry exports as `options`. */
export function takesOptions({ scripts = {} }: Pick<PackageJson, 'scripts'>): boolean {
  const pattern = /\bfastify\s+start\b[^&|;]*\s(?:-o|--options)(?=\s|$)/
  return Object.values(scripts).some((script) => pattern.test(script))
}
