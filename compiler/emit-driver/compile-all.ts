import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { CompileUnit } from '../model/index.ts'
import type { Compiled, UnitCompiler } from './compile-unit.ts'
import { createHelper, type Helper } from './helper.ts'
import { isPlainData } from './plain-data.ts'
import type { ThreadData } from './thread.ts'

/** So many units are compiled before a thread has loaded what it needs and is as warm as this one. */
const WORTH_A_THREAD = 80

/** Each takes a hundred megabytes. */
const MOST_THREADS = 3

/** Few, so that all are done at about the same time. */
const BATCH = 8

/** What a thread has at a time: one batch, and the next. */
const LANES = 2

/** How many threads so many units are worth, besides this one. */
export function threadsFor(count: number): number {
  const most = Math.min(availableParallelism() - 1, MOST_THREADS)
  return Math.min(most, Math.floor(count / WORTH_A_THREAD))
}

/**
 * Compiles units here, and where there are many in threads as well. What becomes of a unit depends on nothing but the
 * unit, so it is the same everywhere.
 *
 * @returns what has become of each, in the order of the units
 */
export async function compileAll(
  units: readonly CompileUnit[],
  compile: UnitCompiler,
  line: ThreadData,
  threads: number = threadsFor(units.length),
): Promise<readonly Compiled[]> {
  const results: Compiled[] = []
  const known = new WeakSet<object>()
  const canTravel = ({ schema, externals, options }: CompileUnit): boolean =>
    threads > 0 && [schema, externals, options].every((one) => isPlainData(one, known))
  /** Places of units that only this thread can compile, and of others; the next ones last. */
  const own: number[] = []
  const others: number[] = []
  for (let at = units.length - 1; at >= 0; at--)
    (canTravel(units[at] as CompileUnit) ? others : own).push(at)
  const helpers = Array.from({ length: threads }, () => createHelper(line))
  try {
    const lanes = helpers.flatMap((helper) => Array.from({ length: LANES }, () => helper))
    await Promise.all([compileHere(), ...lanes.map(compileThere)])
    return results
  } finally {
    await Promise.all(helpers.map((helper) => helper.end()))
  }

  async function compileHere(): Promise<void> {
    let count = 0
    for (let at = next(); at !== undefined; at = next()) {
      results[at] = compile(units[at] as CompileUnit)
      // The threads get their turn.
      if (++count % BATCH === 0) await setImmediate()
    }
  }

  function next(): number | undefined {
    return own.pop() ?? others.pop()
  }

  async function compileThere(helper: Helper): Promise<void> {
    while (others.length > 0) {
      const batch = others.splice(-BATCH).reverse()
      const compiled = await helper.compile(batch.map((at) => units[at] as CompileUnit))
      for (const [i, at] of batch.entries()) results[at] = compiled[i] as Compiled
    }
  }
}
