/** How often a property is tried, and from which seed: the same in every run, unless the environment says otherwise. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
  /** What was thrown is part of the report. */
  readonly includeErrorInReport: true
}

/** Parameters of `fc.assert`. `RUNS=100000 SEED=$RANDOM npm test -- runtime/boot` looks further. */
export function runs(count: number): Runs {
  const { RUNS, SEED } = process.env
  return { numRuns: Number(RUNS ?? count), seed: Number(SEED ?? 1), includeErrorInReport: true }
}
