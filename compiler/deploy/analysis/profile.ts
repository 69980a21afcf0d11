/** Profiles the start of a deployment with V8's CPU profiler. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NodeRelease } from '../start/node-release.ts'
import type { StartFailure } from '../start/start-once.ts'
import { startOnce } from '../start/start-once.ts'
import { createAttribution } from './attribution.ts'

/** Milliseconds by package, and by other names such as garbage collection. */
export type Costs = ReadonlyMap<string, number>

/** The parts of a profile that we use: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    /** Samples by line, counted from 1. */
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[]
    readonly hitCount?: number
  }[]
  readonly samples: readonly number[]
  /** In µs. */
  readonly timeDeltas: readonly number[]
}

/** Time between samples, in µs. */
const INTERVAL = 100

/** A single start may be slow because of other work on the machine. */
const STARTS = 5

/** Starts the deployment in `folder` several times. Returns the medians. @param timeout in ms */
export async function profileStarts(
  folder: string,
  { path: binary, flags, version }: NodeRelease,
  timeout: number,
): Promise<Costs | StartFailure> {
  const attribute = createAttribution(folder)
  const runs: Costs[] = []
  for (let i = 0; i < STARTS; i++) {
    const to = mkdtempSync(path.join(tmpdir(), 'framework-profile-'))
    try {
      const profiling = ['--cpu-prof', `--cpu-prof-interval=${INTERVAL}`, `--cpu-prof-dir=${to}`]
      const node = { path: binary, version, flags: [...flags, ...profiling] }
      const failure = await startOnce(folder, node, timeout)
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
