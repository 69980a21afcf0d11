/** `framework deploy --analyze`: measures the CPU time of a start by package, with V8's profiler. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ResolvedOptions } from '../../model/index.ts'
import { nodeRelease, type NodeOptions } from '../start/node-release.ts'
import { startOnce } from '../start/start-once.ts'
import { createAttribution, type Profile } from './attribution.ts'

/** CPU time of a start. */
export interface Cost {
  /** A package, `''` for the application, or another name such as garbage collection. */
  readonly name: string
  readonly ms: number
}

/** Time between samples, in µs. */
const INTERVAL = 100

/** A single start may be slow because of other work on the machine. */
const STARTS = 5

/** Starts the deployment in `folder` several times. Returns the medians, most expensive first. @throws DeployError */
export async function costsOf(
  folder: string,
  nodeOptions: NodeOptions,
  options: ResolvedOptions,
): Promise<readonly Cost[]> {
  const { flags, ...node } = nodeRelease(nodeOptions)
  // Profiles contain the real paths of modules.
  const attribute = createAttribution(realpathSync(folder))
  const runs: ReadonlyMap<string, number>[] = []
  for (let i = 0; i < STARTS; i++) {
    const profileFolder = mkdtempSync(path.join(tmpdir(), 'framework-profile-'))
    try {
      const profiling = [
        '--cpu-prof',
        `--cpu-prof-interval=${INTERVAL}`,
        `--cpu-prof-dir=${profileFolder}`,
      ]
      await startOnce(folder, { ...node, flags: [...flags, ...profiling] }, options)
      const profiles = readdirSync(profileFolder).map(
        (file) => JSON.parse(readFileSync(path.join(profileFolder, file), 'utf8')) as Profile,
      )
      runs.push(attribute(profiles))
    } finally {
      rmSync(profileFolder, { recursive: true, force: true })
    }
  }
  const names = new Set(runs.flatMap((run) => [...run.keys()]))
  return [...names]
    .map((name) => ({ name, ms: medianOf(runs.map((run) => run.get(name) ?? 0)) }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}
