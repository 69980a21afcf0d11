/** Emitted validators beside the modules that `ajv/dist/standalone` writes, in a process that evaluates no strings. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { EmittedUnit } from '../../../compiler/model/index.ts'
import { moduleOf } from '../../support/no-codegen.ts'

/** One schema, compiled in both ways. */
export interface Pair {
  /** What it is, for a report. */
  readonly name: string
  readonly emitted: EmittedUnit
  /** The text of a CommonJS module. */
  readonly standalone: string
  readonly inputs: readonly unknown[]
}

/** What becomes of a value in the two ways, as text. */
export interface Difference {
  readonly name: string
  readonly input: string
  readonly standalone: string
  readonly emitted: string
}

/** By the place of a job; what `child.ts` answers. */
export type Found = readonly (Omit<Difference, 'name'> & { readonly place: number })[]

/** How many pairs one process gets. */
const BATCH = 500

/** One difference for each pair that has some. */
export function compareStandalone(pairs: readonly Pair[]): Difference[] {
  const differences: Difference[] = []
  for (let i = 0; i < pairs.length; i += BATCH) {
    const batch = pairs.slice(i, i + BATCH)
    for (const { place, ...difference } of compareBatch(batch)) {
      differences.push({ name: batch[place]?.name ?? '', ...difference })
    }
  }
  return differences
}

function compareBatch(pairs: readonly Pair[]): Found {
  const folder = mkdtempSync(join(tmpdir(), 'framework-standalone-'))
  try {
    const at = (name: string): string => join(folder, name)
    writeFileSync(at('units.mjs'), moduleOf(pairs.map(({ emitted }) => emitted)))
    writeFileSync(at('standalone.cjs'), modulesOf(pairs.map(({ standalone }) => standalone)))
    writeFileSync(at('inputs'), serialize(pairs.map(({ inputs }) => inputs)))
    const child = new URL('child.js', import.meta.url).pathname
    execFileSync(process.execPath, ['--disallow-code-generation-from-strings', child, folder])
    return deserialize(readFileSync(at('found'))) as Found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** One file with each module in a function of its own. */
export function modulesOf(texts: readonly string[]): string {
  const functions = texts.map((text) => `function (module, require) {\n${text}\n}`)
  return `module.exports = [\n${functions.join(',\n')}\n]\n`
}
