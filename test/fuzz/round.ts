/** One round: many random schemas of one context under one option set. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import type { EmittedUnit } from '../../compiler/model.ts'
import type { Line } from '../../runtime/artifact/lines.ts'
import { moduleOf } from '../support/no-codegen.ts'
import { externalsCase, schemaCase } from '../support/random-schemas.ts'
import { createComparison } from './case.ts'
import { profiles, type Profile } from './profiles.ts'
import { digestOf, VALUES, type Sample } from './values.ts'

export interface Round {
  /** The place in `profiles`. */
  readonly profile: number
  readonly seed: number
  readonly schemas: number
  readonly line?: Line | undefined
}

export interface RoundResult {
  /** Schemas that both sides compiled. */
  readonly compiled: number
  /** Values that were run through both. */
  readonly cases: number
  /** Schemas that both sides refused with one message. */
  readonly refused: number
  readonly failure?: Failure
}

/** The smallest sample found that differs, and how. */
export interface Failure {
  readonly profile: number
  readonly sample: Sample
  readonly message: string
}

interface Kept {
  readonly emitted: EmittedUnit
  readonly sample: Sample
  readonly outcomes: readonly string[]
}

export function runRound(round: Round): RoundResult {
  const profile = profiles[round.profile] as Profile
  const { kind, features } = profile
  const seed = round.seed
  const [externals = {}] = fc.sample(externalsCase(features), { seed, numRuns: 1 })
  const { compare } = createComparison(profile, externals, round.line)
  const kept: Kept[] = []
  let refused = 0
  const property = fc.property(schemaCase(features), fc.nat(), (schema, valueSeed) => {
    const sample: Sample = { kind, schema, externals, valueSeed }
    const compared = compare(sample)
    if (compared === undefined) refused++
    else kept.push({ ...compared, sample })
  })
  const details = fc.check(property, { seed, numRuns: round.schemas, endOnFailure: false })
  if (details.failed) {
    const [schema, valueSeed] = details.counterexample ?? [{}, 0]
    const sample = { kind, schema, externals, valueSeed }
    const message = String((details.errorInstance as Error | null)?.message)
    return {
      ...countOf(kept, refused),
      failure: { profile: round.profile, sample, message },
    }
  }
  const differing = kept[firstDifferenceWithoutCodegen(kept)]
  if (differing === undefined) return countOf(kept, refused)
  const message = 'gives something else where code generation is refused'
  return {
    ...countOf(kept, refused),
    failure: { profile: round.profile, sample: differing.sample, message },
  }
}

function countOf(kept: readonly Kept[], refused: number): RoundResult {
  return { compiled: kept.length, cases: kept.length * VALUES, refused }
}

/** What the process without code generation is given, and what it answers with a digest of each outcome. */
export type ChildJobs = readonly Sample[]

/** The index, or -1. */
function firstDifferenceWithoutCodegen(kept: readonly Kept[]): number {
  if (kept.length === 0) return -1
  const folder = mkdtempSync(join(tmpdir(), 'framework-fuzz-'))
  try {
    const at = (name: string): string => join(folder, name)
    writeFileSync(at('units.mjs'), moduleOf(kept.map(({ emitted }) => emitted)))
    writeFileSync(at('jobs'), serialize(kept.map(({ sample }) => sample)))
    const child = new URL('child.js', import.meta.url).pathname
    const flag = '--disallow-code-generation-from-strings'
    execFileSync(process.execPath, [flag, child, at('units.mjs'), at('jobs'), at('digests')])
    const digests = deserialize(readFileSync(at('digests'))) as string[]
    return kept.findIndex(({ outcomes }, i) => digests[i] !== digestOf(outcomes))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
