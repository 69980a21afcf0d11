/** Attributes the CPU time of profiles to the packages of a deployment. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LEAST_UPPER_BOUND, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { isPreload } from '../start/start-once.ts'
import { ownerOf } from '../sizes.ts'

/** The parts of a profile that we use: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface Profile {
  readonly nodes: readonly {
    readonly callFrame: { readonly functionName: string; readonly url: string }
    /** Samples by line, counted from 1. */
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[]
    readonly hitCount?: number
  }[]
  readonly samples: readonly number[]
  /** In µs. */
  readonly timeDeltas: readonly number[]
}

/** Costs that belong to no package. */
const GARBAGE = 'collecting garbage'
/** Includes reading and compiling code. */
const NODE = 'Node.js and V8'

/** Returns a function that adds up the CPU time of packages in ms, which it finds by the source maps of the deployment in `folder`. */
export function createAttribution(
  folder: string,
): (profiles: readonly Profile[]) => ReadonlyMap<string, number> {
  const maps = new Map<string, TraceMap | undefined>()
  return (profiles) => {
    const costs = new Map<string, number>()
    for (const { nodes, samples, timeDeltas } of profiles) {
      const total = timeDeltas.reduce((sum, delta) => sum + delta, 0)
      const perSample = total / Math.max(1, samples.length) / 1000
      for (const { callFrame, hitCount = 0, positionTicks = [] } of nodes) {
        const { functionName, url } = callFrame
        if (functionName === '(idle)' || functionName === '(root)') continue
        const lines = positionTicks.length > 0 ? positionTicks : [{ line: 1, ticks: hitCount }]
        for (const { line, ticks } of lines) {
          const owner = ownerAt(functionName, url, line)
          if (owner !== undefined) costs.set(owner, (costs.get(owner) ?? 0) + ticks * perSample)
        }
      }
    }
    return costs
  }

  /** Returns `undefined` for the measurement itself. */
  function ownerAt(functionName: string, url: string, line: number): string | undefined {
    if (functionName === '(garbage collector)') return GARBAGE
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    if (!path.isAbsolute(file)) return NODE
    if (isPreload(file)) return undefined
    const map = mapOf(file)
    // Modules don't share lines, so the first position of a line is enough.
    const place = { line, column: 0, bias: LEAST_UPPER_BOUND } as const
    return ownerOf((map && originalPositionFor(map, place).source) ?? file)
  }

  function mapOf(file: string): TraceMap | undefined {
    if (!maps.has(file)) {
      const mapFile = `${file}.map`
      const isOurs = file.startsWith(folder + path.sep) && existsSync(mapFile)
      maps.set(file, isOurs ? new TraceMap(readFileSync(mapFile, 'utf8')) : undefined)
    }
    return maps.get(file)
  }
}
