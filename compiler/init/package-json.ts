/** Reads and validates package.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic, SourceLocation } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { isMembers } from '../util/json.ts'
import { readJson } from './json-text.ts'

type Names = Readonly<Record<string, string>>

export interface PackageJson {
  readonly file: string
  readonly text: string
  readonly name: string | undefined
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
  const name = 'package.json'
  const fault = (at: SourceLocation, reason: string): Diagnostic =>
    diagnostic('AOT_INIT_PACKAGE_JSON', at, reason)
  const start = { file: name, line: 0, column: 0 }
  if (!existsSync(file)) return fault(start, 'there is none')
  const text = readFileSync(file, 'utf8')
  const read = readJson(text, false)
  if ('reason' in read) {
    return fault(placeAt(text, read.offset, name), `it is no JSON (${read.reason})`)
  }
  const { value } = read
  if (!isMembers(value)) return fault({ ...start, line: 1, column: 1 }, 'it is no object')
  for (const table of tables) {
    const found = value[table]
    if (found === undefined) continue
    const isOfTexts =
      isMembers(found) && Object.values(found).every((one) => typeof one === 'string')
    if (!isOfTexts) {
      const at = placeAt(text, Math.max(text.indexOf(`"${table}"`), 0), name)
      return fault(at, `\`${table}\` is no object of texts`)
    }
  }
  const { name: own, type, main, workspaces } = value
  const namesOf = (table: (typeof tables)[number]): Names => (value[table] ?? {}) as Names
  const [dependencies, devDependencies] = [namesOf('dependencies'), namesOf('devDependencies')]
  return {
    file,
    text,
    name: typeof own === 'string' ? own : undefined,
    type: type === 'module' ? 'module' : 'commonjs',
    main: typeof main === 'string' ? main : undefined,
    scripts: namesOf('scripts'),
    dependencies,
    devDependencies,
    // In the order of the file; where both list a package, the dependency counts.
    allDependencies: { ...dependencies, ...devDependencies, ...dependencies },
    workspaces,
  }
}

function placeAt(text: string, offset: number, file: string): SourceLocation {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
