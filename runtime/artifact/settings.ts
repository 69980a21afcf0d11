/**
 * Everything that a context's schemas are compiled with besides themselves: options and shared schemas. The
 * build numbers them, and the runtime looks up the number of a context's settings by their text.
 */
import type { UnitFactory } from './units.ts'

/** The artifact's table. Contexts inherit, so common texts are stored once. */
export interface SettingsTable {
  readonly texts: readonly string[]
  /** Positions in `texts`, joined by spaces. Settings number `n` are at `n - 1`. */
  readonly contexts: readonly string[]
}

/** Returned for settings that nothing was compiled with. */
export const UNKNOWN = -1

/** Creates a function that looks up the number of a context's settings. */
export function createSettingsIndex({
  texts,
  contexts,
}: SettingsTable): (units: UnitFactory) => number {
  const positions = new Map(texts.map((text, i) => [text, i]))
  return (units) => {
    const found = units.settings().map((text) => positions.get(text))
    return found.includes(undefined) ? UNKNOWN : contexts.indexOf(found.join(' ')) + 1 || UNKNOWN
  }
}

/** Creates a table that assigns numbers. */
export function createSettingsTable(): SettingsTable & { numberOf(units: UnitFactory): number } {
  const texts: string[] = []
  const contexts: string[] = []
  const numbers = new WeakMap<UnitFactory, number>()
  return { texts, contexts, numberOf }

  function numberOf(units: UnitFactory): number {
    let number = numbers.get(units)
    if (number === undefined) {
      const positions = units.settings().map((text) => positionIn(texts, text))
      numbers.set(units, (number = positionIn(contexts, positions.join(' ')) + 1))
    }
    return number
  }
}

function positionIn(list: string[], text: string): number {
  const position = list.indexOf(text)
  return position === -1 ? list.push(text) - 1 : position
}
