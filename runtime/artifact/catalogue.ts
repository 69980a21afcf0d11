import type { Digest } from './index.ts'
import type { ReplayChecks } from './replay.ts'
import type { SettingsTable } from './settings.ts'

/** What an artifact holds. A file of its own, so that what each process reads first is short. */
export interface Catalogue {
  /** Of all functions, joined by spaces, in the order in which the chunks export them. */
  readonly digests: string
  /** How many functions each chunk has. */
  readonly counts: readonly number[]
  /** `plainDigest` to digest, of functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
  readonly settings: SettingsTable
  /**
   * The routes that have all of their functions, in the order of their texts: `;`, where the text of a route starts, `:`,
   * its checksum, `:`, and the positions of its functions in `digests`, separated by spaces; `;` at the end. As text,
   * because a process that serves one route looks for one.
   */
  readonly routes: string
  /** What functions of the application did when all of it was compiled, when there are any. */
  readonly replayChecks?: ReplayChecks
}

/** All digests are of one length, and a space stands between them. */
const STEP = 23

export function digestAt({ digests }: Pick<Catalogue, 'digests'>, nth: number): Digest {
  return digests.slice(nth * STEP, (nth + 1) * STEP - 1)
}

/** The position of a function; not an integer for what is none. */
export function positionOf({ digests }: Pick<Catalogue, 'digests'>, digest: Digest): number {
  return digests.indexOf(digest) / STEP
}

/** A line of `Catalogue.routes`. */
export interface RouteLine {
  /** Where the text of the route starts. */
  readonly start: number
  /** The positions of its functions. */
  readonly functions: readonly number[]
}

/** The line of the route whose text starts at `start`, or the `nth` line behind that one. */
export function lineAt(routes: string, start: number, nth: number): RouteLine | undefined {
  let at = routes.indexOf(`;${start}:`)
  for (let i = 0; i < nth && at !== -1; i++) at = routes.indexOf(';', at + 1)
  const end = routes.indexOf(';', at + 1)
  return at === -1 || end === -1 ? undefined : parseLine(routes.slice(at + 1, end))
}

/** Finds lines by the checksum of the route's text. */
export function createLineFinder(routes: string): (checksum: number) => readonly RouteLine[] {
  let searches = 0
  let known: Map<string, string[]> | undefined
  return (checksum) => {
    if (searches++ < MOST_SEARCHES) return search(routes, `:${checksum}:`).map(parseLine)
    known ??= mapLines(routes)
    return (known.get(String(checksum)) ?? []).map(parseLine)
  }
}

function parseLine(line: string): RouteLine {
  const [start, , positions = ''] = line.split(':')
  return { start: Number(start), functions: parsePositions(positions) }
}

/** Positions of functions, separated by spaces. */
export function parsePositions(text: string): number[] {
  return text === '' ? [] : text.split(' ').map(Number)
}

/** From about that many on, a map of all is cheaper than looking through them. */
export const MOST_SEARCHES = 32

function search(routes: string, key: string): readonly string[] {
  const found: string[] = []
  for (let at = routes.indexOf(key); at !== -1; at = routes.indexOf(key, at + 1)) {
    found.push(routes.slice(routes.lastIndexOf(';', at) + 1, routes.indexOf(';', at + 1)))
  }
  return found
}

function mapLines(routes: string): Map<string, string[]> {
  const known = new Map<string, string[]>()
  for (const line of routes.split(';')) {
    const [, checksum = ''] = line.split(':', 2)
    const same = known.get(checksum)
    if (same) same.push(line)
    else known.set(checksum, [line])
  }
  return known
}
