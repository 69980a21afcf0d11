/** The JSON Schema Test Suite, as far as it is vendored in `fixtures/json-schema-test-suite`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly {
    readonly description: string
    readonly data: unknown
    readonly valid: boolean
  }[]
}

export type Draft = 'draft6' | 'draft7' | 'draft2019-09' | 'draft2020-12'

const root = join(import.meta.dirname, '../../../fixtures/json-schema-test-suite')
const SERVER = 'http://localhost:1234/'

/** The groups of each file, required and optional, by its path. */
export function readSuite(draft: Draft): ReadonlyMap<string, readonly Group[]> {
  const folder = join(root, 'tests', draft)
  return new Map(
    filesIn(folder).map((file) => [
      relative(folder, file).replaceAll(sep, '/'),
      readJson(file) as Group[],
    ]),
  )
}

/** The remote schemas of a draft by URL, which is also their `$id`: Fastify takes no shared schema without one. */
export function readRemotes(draft: Draft): Record<string, unknown> {
  const remotes: Record<string, unknown> = {}
  const folder = join(root, 'remotes')
  for (const file of filesIn(folder)) {
    const path = relative(folder, file).replaceAll(sep, '/')
    if (path.startsWith('draft') && !path.startsWith(`${draft}/`)) continue
    const schema = readJson(file) as { $id?: string }
    remotes[SERVER + path] = { ...schema, $id: schema.$id ?? SERVER + path }
  }
  return remotes
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
