/** What the start of a deployment spends its time on, as V8's profiler sees it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NodeRelease } from '../process/node-release.ts'
import type { StartFailure } from '../process/start-once.ts'
import { startOnce } from '../process/start-once.ts'
import { createAttribution } from './attribution.ts'

/** Milliseconds, by what they are spent on. */
export type Costs = ReadonlyMap<string, number>

/** The parts of a profile that are read: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    /** Samples, by lines that count from 1. */
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[]
    readonly hitCount?: number
  }[]
  readonly samples: readonly number[]
  /** In µs. */
  readonly timeDeltas: readonly number[]
}

/** Between samples, in µs. */
const INTERVAL = 100

/** The machine's other work shows in one start. */
const STARTS = 5

/** Starts the deployment in `folder` several times. Gives the medians, or says why it does not start. */
export async function profileStarts(
  folder: string,
  { path: binary, flags, version }: NodeRelease,
  patience: number,
): Promise<Costs | StartFailure> {
  const attribute = createAttribution(folder)
  const runs: Costs[] = []
  for (let i = 0; i < STARTS; i++) {
    const to = mkdtempSync(path.join(tmpdir(), 'framework-profile-'))
    try {
      const profiling = ['--cpu-prof', `--cpu-prof-interval=${INTERVAL}`, `--cpu-prof-dir=${to}`]
      const node = { path: binary, version, flags: [...flags, ...profiling] }
      const failure = await startOnce(folder, node, patience)
      if (failure !== undefined) return failure
      const profiles = readdirSync(to).map(
        (file) => JSON.parse(readFileSync(path.join(to, file), 'utf8')) as Profile,
      )
      runs.push(attribute(profiles))
    } finally {
      rmSync(to, { recursive: true, force: true })
    }
  }
  const names = new Set(runs.flatMap((run) => [...run.keys()]))
  return new Map([...names].map((name) => [name, medianOf(runs.map((run) => run.get(name) ?? 0))]))
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}
