import type { Digest } from './index.ts'
import type { ReplayChecks } from './replay.ts'
import type { SettingsTable } from './settings.ts'

/** The contents of an artifact. Only what every process needs first. */
export interface Catalogue {
  /** All digests, joined by spaces, in the order in which chunks export their functions. */
  readonly digests: string
  /** Number of functions per chunk. */
  readonly counts: readonly number[]
  /** Maps `plainDigest` to the digest, for functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
  readonly settings: SettingsTable
  /**
   * Routes with all of their functions, sorted by the position of their text: `;`, position, `:`, checksum,
   * `:`, and the positions of their functions in `digests`, separated by spaces; `;` at the end. A text
   * rather than a list, because a process that serves one route looks for one.
   */
  readonly routes: string
  /** The recorded behaviour of the application's functions during the build, if there are any. */
  readonly replayChecks?: ReplayChecks
}

/** Digests have a fixed length and are separated by a space. */
const STEP = 23

export function digestAt({ digests }: Pick<Catalogue, 'digests'>, nth: number): Digest {
  return digests.slice(nth * STEP, (nth + 1) * STEP - 1)
}

/** Returns the position of a function, or a fraction for an unknown one. */
export function positionOf({ digests }: Pick<Catalogue, 'digests'>, digest: Digest): number {
  return digests.indexOf(digest) / STEP
}

/** A parsed entry of `Catalogue.routes`. */
export interface RouteLine {
  /** Position of the route's text. */
  readonly start: number
  /** Positions of its functions. */
  readonly functions: readonly number[]
}

/** Returns the entry of the route whose text starts at `start`, or the `nth` entry after it. */
export function lineAt(routes: string, start: number, nth: number): RouteLine | undefined {
  let at = routes.indexOf(`;${start}:`)
  for (let i = 0; i < nth && at !== -1; i++) at = routes.indexOf(';', at + 1)
  const end = routes.indexOf(';', at + 1)
  return at === -1 || end === -1 ? undefined : parseLine(routes.slice(at + 1, end))
}

/** Creates a function that finds entries by the checksum of the route's text. */
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

/** Parses positions separated by spaces. */
export function parsePositions(text: string): number[] {
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Above this number of look-ups, building a map is cheaper than searching the text. */
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
