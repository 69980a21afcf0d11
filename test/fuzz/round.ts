/** One round: many random schemas of one context under one option set. */
import fc from 'fast-check'
import type { LineName } from '../../runtime/artifact/lines.ts'
import { answersWithoutCodegen } from '../support/no-codegen.ts'
import { externalsCase, schemaCase } from '../support/random-schemas.ts'
import { createComparison, type Compared } from './case.ts'
import { profiles, type Profile } from './profiles.ts'
import { VALUES, type Sample } from './values.ts'

export interface Round {
  /** The position in `profiles`. */
  readonly profile: number
  readonly seed: number
  readonly schemas: number
  readonly line?: LineName | undefined
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

/** The smallest sample that differs, and how. */
export interface Failure {
  readonly profile: number
  readonly sample: Sample
  readonly message: string
}

export function describeFailure({ profile, sample, message }: Failure): string {
  const { kind, schema, valueSeed } = sample
  const { name } = profiles[profile] as Profile
  return `${kind} of ${JSON.stringify(schema)}\nunder ${name}, values ${valueSeed}: ${message}`
}

interface Kept extends Compared {
  readonly sample: Sample
}

export function runRound(round: Round): RoundResult {
  const profile = profiles[round.profile] as Profile
  const { kind, features } = profile
  const seed = round.seed
  const [externals = {}] = fc.sample(externalsCase(features), { seed, numRuns: 1 })
  const compare = createComparison(profile, externals, round.line)
  const kept: Kept[] = []
  let refused = 0
  const property = fc.property(schemaCase(features), fc.nat(), (schema, valueSeed) => {
    const sample: Sample = { kind, schema, externals, valueSeed }
    const compared = compare(sample)
    if (compared === undefined) refused++
    else kept.push({ ...compared, sample })
  })
  const details = fc.check(property, { seed, numRuns: round.schemas, endOnFailure: false })
  const found = details.failed ? counterexampleOf(details) : differenceWithoutCodegen(kept)
  return {
    compiled: kept.length,
    cases: kept.length * VALUES,
    refused,
    ...(found && { failure: { profile: round.profile, ...found } }),
  }

  function counterexampleOf(failed: typeof details): Pick<Failure, 'sample' | 'message'> {
    const [schema, valueSeed] = failed.counterexample ?? [{}, 0]
    const message = String((failed.errorInstance as Error | null)?.message)
    return { sample: { kind, schema, externals, valueSeed }, message }
  }
}

/** Returns the first sample that behaves differently in a process where strings cannot be evaluated. */
function differenceWithoutCodegen(
  kept: readonly Kept[],
): Pick<Failure, 'sample' | 'message'> | undefined {
  const units = kept.map(({ emitted }) => emitted)
  const samples = kept.map(({ sample }) => sample)
  const answers = answersWithoutCodegen<string>(units, samples)
  for (const [i, { outcomes, sample }] of kept.entries()) {
    const at = outcomes.findIndex((outcome, j) => answers[i]?.[j] !== outcome)
    if (at === -1) continue
    const message = `gives ${answers[i]?.[at]} where code generation is refused, and otherwise ${outcomes[at]}`
    return { sample, message }
  }
  return undefined
}
