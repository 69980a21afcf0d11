/**
 * True if all tests run (`TESTS=all`), as by `npm run test:all`: whole matrices instead of samples of them, and five times as many
 * runs of each random test.
 */
export const runsAll: boolean = process.env['TESTS'] === 'all'

/** How often a property is tested, and from which seed: the same each time, unless the environment says otherwise. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
  /** The report shows the error. */
  readonly includeErrorInReport: true
}

/** Parameters of `fc.assert`. `RUNS=100000 SEED=$RANDOM npm test -- runtime/boot` tests other cases, and more of them. */
export function runs(count: number): Runs {
  const { RUNS = runsAll ? 5 * count : count, SEED = 1 } = process.env
  return { numRuns: Number(RUNS), seed: Number(SEED), includeErrorInReport: true }
}
