/** Scans programs that build a value, and returns all that it may be. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '../../compiler/1-scan/index.ts'
import { buildTree } from '../../compiler/2-tree/index.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import type { Program } from './random-programs.ts'

let count = 0

/** Returns all values that the scan considers possible, as JSON, and the problems that it reports. */
export async function scanProgram(
  dir: string,
  head: readonly string[],
  { setUp, result }: Program,
): Promise<{ values: string[]; diagnostics: Diagnostic[] }> {
  const entry = join(dir, `app${count++}.js`)
  const lines = [
    "import framework from 'framework'",
    ...head,
    'const app = framework()',
    setUp,
    `;app.post('/', { schema: { body: ${result} } }, () => {})`,
  ]
  writeFileSync(entry, lines.join('\n'))
  const diagnostics: Diagnostic[] = []
  const report = (one: Diagnostic): void => void diagnostics.push(one)
  const graph = await scan({ entry, root: dir, out: '' }, report)
  if (graph === undefined) {
    assert.ok(diagnostics.length > 0, 'the scan finds nothing and says nothing')
    return { values: [], diagnostics }
  }
  const { routes } = buildTree(graph, report).root
  const values = routes.map(({ schema }) => {
    const value = schema?.value as { body: unknown } | undefined
    return JSON.stringify(value?.body)
  })
  return { values, diagnostics }
}

/** Sorts the members of all objects. */
export function canonical(json: string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
