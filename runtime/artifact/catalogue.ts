import type { Digest } from './index.ts'
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
   * The routes that have all of their functions: `;`, the checksum of their text, where it starts, and the positions of
   * their functions in `digests`, separated by spaces; `;` at the end. As text, because a process that serves one route
   * looks for one.
   */
  readonly routes: string
}

/** All digests are of one length, and a space stands between them. */
const STEP = 23

export function digestAt({ digests }: Catalogue, nth: number): Digest {
  return digests.slice(nth * STEP, (nth + 1) * STEP - 1)
}

/** The position of a function; not an integer for what is none. */
export function positionOf({ digests }: Catalogue, digest: Digest): number {
  return digests.indexOf(digest) / STEP
}

/** Finds the lines of `Catalogue.routes` by checksum; gives what stands behind it. */
export function createLineFinder(routes: string): (checksum: number) => readonly string[] {
  let searches = 0
  let known: Map<string, string[]> | undefined
  return (checksum) => {
    if (searches++ < MOST_SEARCHES) return search(routes, `;${checksum} `)
    known ??= mapLines(routes)
    return known.get(String(checksum)) ?? []
  }
}

/** From about that many on, a map of all is cheaper than looking through them. */
export const MOST_SEARCHES = 32

function search(routes: string, key: string): readonly string[] {
  const found: string[] = []
  for (let at = routes.indexOf(key); at !== -1; at = routes.indexOf(key, at + 1)) {
    found.push(routes.slice(at + key.length, routes.indexOf(';', at + 1)))
  }
  return found
}

function mapLines(routes: string): Map<string, string[]> {
  const known = new Map<string, string[]>()
  for (const line of routes.split(';')) {
    const end = line.indexOf(' ')
    const checksum = line.slice(0, end)
    const same = known.get(checksum)
    if (same) same.push(line.slice(end + 1))
    else known.set(checksum, [line.slice(end + 1)])
  }
  return known
}
