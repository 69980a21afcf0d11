import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LEAST_UPPER_BOUND, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { isPreload } from '../start/start-once.ts'
import { ownerOf } from '../sizes.ts'
import type { Costs, Profile } from './profile.ts'

/** Costs that belong to no package. */
const GARBAGE = 'collecting garbage'
/** Includes reading and compiling code. */
const NODE = 'Node.js and V8'

/** Returns a function that adds up the CPU time of packages, which it finds by the source maps of the deployment in `folder`. */
export function createAttribution(folder: string): (profiles: readonly Profile[]) => Costs {
  const maps = new Map<string, TraceMap | undefined>()
  return (profiles) => {
    const costs = new Map<string, number>()
    for (const { nodes, samples, timeDeltas } of profiles) {
      const whole = timeDeltas.reduce((sum, delta) => sum + delta, 0)
      const perSample = whole / Math.max(1, samples.length) / 1000
      for (const { callFrame, hitCount = 0, positionTicks = [] } of nodes) {
        const { functionName, url } = callFrame
        if (functionName === '(idle)' || functionName === '(root)') continue
        const lines = positionTicks.length > 0 ? positionTicks : [{ line: 1, ticks: hitCount }]
        for (const { line, ticks } of lines) {
          const owner = ownerAt(functionName, url, line)
          if (owner !== undefined) add(owner, ticks * perSample)
        }
      }
    }
    return costs

    function add(owner: string, cost: number): void {
      costs.set(owner, (costs.get(owner) ?? 0) + cost)
    }
  }

  /** Returns `undefined` for the measurement itself. */
  function ownerAt(functionName: string, url: string, line: number): string | undefined {
    if (functionName === '(garbage collector)') return GARBAGE
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    if (!path.isAbsolute(file)) return NODE
    if (isPreload(file)) return undefined
    const { source } = sourceAt(file, line)
    return ownerOf(source ?? file)
  }

  /** Modules don't share lines, so the first position of a line is enough. */
  function sourceAt(file: string, line: number): { readonly source: string | null } {
    const map = mapOf(file)
    if (map === undefined) return { source: null }
    return originalPositionFor(map, { line, column: 0, bias: LEAST_UPPER_BOUND })
  }

  function mapOf(file: string): TraceMap | undefined {
    if (!maps.has(file)) {
      const text = `${file}.map`
      const isOurs = file.startsWith(folder + path.sep) && existsSync(text)
      maps.set(file, isOurs ? new TraceMap(readFileSync(text, 'utf8')) : undefined)
    }
    return maps.get(file)
  }
}
