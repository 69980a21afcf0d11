import type { PeerFile } from './peer.ts'
import { type FileResult, type RunOptions, runFiles } from './run.ts'

/** How one test file fared: the titles of its blocks. */
export interface Verdict {
  readonly file: string
  readonly area: string
  readonly portable: Tally
  readonly internal: Tally
}

interface Tally {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

/**
 * Runs files. Those that lose portable blocks run once more, alone and with more patience: on a busy machine a
 * block that waits for time may need a second attempt.
 */
export async function judgeFiles(
  peer: ReadonlyMap<string, PeerFile>,
  options: RunOptions,
): Promise<Verdict[]> {
  const longestFirst = [...peer].sort(([, a], [, b]) => b.ms - a.ms).map(([file]) => file)
  const first = await runFiles(longestFirst, options)
  const judge = (file: string, results: ReadonlyMap<string, FileResult>[]): Verdict =>
    toVerdict(
      file,
      peer.get(file) as PeerFile,
      results.flatMap((each) => each.get(file) ?? []),
    )
  const losing = longestFirst.filter((file) => judge(file, [first]).portable.failed.length > 0)
  const second = await runFiles(losing, { ...options, jobs: 1, blockMs: 10_000 })
  return [...peer.keys()].sort().map((file) => judge(file, [first, second]))
}

/** A block counts as passed if it passes in one of the results. */
function toVerdict(file: string, peer: PeerFile, results: readonly FileResult[]): Verdict {
  const passed = new Set<string>()
  const titles = new Map<string, string>()
  for (const { key, title, ok } of results.flatMap(({ blocks }) => blocks)) {
    titles.set(key, title)
    if (ok) passed.add(key)
  }
  const tally = (keys: readonly string[]): Tally => {
    const titleOf = (key: string): string => titles.get(key) ?? `block ${key}`
    return {
      passed: keys.filter((key) => passed.has(key)).map(titleOf),
      failed: keys.filter((key) => !passed.has(key)).map(titleOf),
    }
  }
  const { area, portable, internal } = peer
  return { file, area, portable: tally(portable), internal: tally(internal) }
}
