/** Splits a number of cases into rounds, one after the other through every option set. */
import type { LineName } from '../../runtime/artifact/lines.ts'
import { profiles, type Profile } from './profiles.ts'
import { runRound, type Failure, type Round, type RoundResult } from './round.ts'
import { VALUES } from './values.ts'

/** Number of schemas that share an instance of Ajv on each side, and a process without code generation. */
const SCHEMAS = 200

export interface Totals {
  readonly cases: number
  readonly compiled: number
  readonly refused: number
  readonly failures: readonly Failure[]
}

export interface FuzzOptions {
  /** Minimum number of values to run through both sides. */
  readonly cases: number
  readonly seed: number
  /** Both kinds by default. */
  readonly kind?: Profile['kind'] | undefined
  /** The line to compile for and to compare with; by default the runtime of this package. */
  readonly line?: LineName | undefined
  readonly onRound?: (result: RoundResult, totals: Totals) => void
}

/** Runs rounds until there were enough cases; continues after a failure. The same seed gives the same rounds. */
export function fuzz({ cases, seed, kind, line, onRound }: FuzzOptions): Totals {
  const all = kind === undefined ? [...placesOf('validator'), ...manySerializers()] : placesOf(kind)
  const chosen = all.filter((place) => line === undefined || isOfFastify(place))
  // Few enough that every option set has its turn.
  const schemas = Math.min(SCHEMAS, Math.ceil(cases / VALUES / chosen.length))
  let totals: Totals = { cases: 0, compiled: 0, refused: 0, failures: [] }
  for (let i = 0; totals.cases < cases; i++) {
    const profile = chosen[i % chosen.length] as number
    const round: Round = { profile, seed: seedOf(seed, i), schemas, line }
    const result = runRound(round)
    totals = {
      cases: totals.cases + result.cases,
      compiled: totals.compiled + result.compiled,
      refused: totals.refused + result.refused,
      failures: result.failure ? [...totals.failures, result.failure] : totals.failures,
    }
    onRound?.(result, totals)
  }
  return totals
}

/** Some option sets are for this package alone. */
function isOfFastify(place: number): boolean {
  return !('mode' in (profiles[place] as Profile).options)
}

function placesOf(kind: Profile['kind']): number[] {
  return [...profiles.keys()].filter((index) => profiles[index]?.kind === kind)
}

/** There are fewer option sets for serializers; they get two cases in five. */
function manySerializers(): number[] {
  const places = placesOf('serializer')
  return [...places, ...places, ...places]
}

/** Far apart for neighbouring rounds; 32 bits, as fast-check wants it. */
export function seedOf(seed: number, round: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(round, 0x85ebca6b)) | 0
}
/** A whole number above 0 of the command line. */
export function naturalOf<Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
  name: Name,
): number {
  const number = Number(given[name])
  if (!Number.isSafeInteger(number) || number < 1)
    throw new TypeError(`--${name} is a whole number`)
  return number
}
