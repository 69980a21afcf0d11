/** Reads and validates package.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../../compiler/model/index.ts'
import { diagnostic } from '../../compiler/report/errors.ts'
import { isMembers } from '../../compiler/util/json.ts'
import { readJson } from './json-text.ts'

type Names = Readonly<Record<string, string>>

export interface PackageJson {
  readonly text: string
  readonly type: 'module' | 'commonjs'
  readonly main: string | undefined
  readonly scripts: Names
  readonly dependencies: Names
  readonly devDependencies: Names
  /** Both. */
  readonly allDependencies: Names
  /** As written. */
  readonly workspaces: unknown
}

/** A package.json that is being changed, with descriptions of the changes. */
export interface Draft {
  text: string
  readonly changes: string[]
  /** Descriptions of what is left to do by hand. */
  readonly notes: string[]
}

/** Members that map names to strings. */
const tables = ['scripts', 'dependencies', 'devDependencies'] as const

/** @returns a problem if the file is missing or invalid */
export function readPackageJson(folder: string): PackageJson | Diagnostic {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return fault('', undefined, 'it does not exist')
  const text = readFileSync(file, 'utf8')
  const read = readJson(text, false)
  if ('reason' in read) return fault(text, read.offset, `it is not valid JSON (${read.reason})`)
  const { value } = read
  if (!isMembers(value)) return fault(text, 0, 'it must contain an object')
  for (const table of tables) {
    const found = value[table] === undefined ? {} : value[table]
    if (!isMembers(found) || Object.values(found).some((one) => typeof one !== 'string'))
      return fault(
        text,
        text.indexOf(`"${table}"`),
        `\`${table}\` must be an object whose values are strings`,
      )
  }
  const { type, main, workspaces } = value
  const [scripts = {}, dependencies = {}, devDependencies = {}] = tables.map(
    (table) => (value[table] ?? {}) as Names,
  )
  return {
    text,
    type: type === 'module' ? 'module' : 'commonjs',
    main: typeof main === 'string' ? main : undefined,
    scripts,
    dependencies,
    devDependencies,
    // Dependencies come first. They also count where both list a package.
    allDependencies: { ...dependencies, ...devDependencies, ...dependencies },
    workspaces,
  }
}

/** @param offset undefined for a missing file */
function fault(text: string, offset: number | undefined, reason: string): Diagnostic {
  const before = text.slice(0, Math.max(offset ?? 0, 0)).split('\n')
  const [line, column] =
    offset === undefined ? [0, 0] : [before.length, (before.at(-1) ?? '').length + 1]
  return diagnostic('AOT_INIT_PACKAGE_JSON', { file: 'package.json', line, column }, reason)
}
