import { relative } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { GraphEntry, PackageFacts } from '../packages/index.ts'
import { installedPrint } from './record.ts'
import { readSealed, writeSealed } from './sealed.ts'

/** What earlier builds have found out about packages. */
export interface PackageStore {
  /**
   * Right as long as the application imports the same ones, and the same are installed. Then an edit of the application
   * costs no look into them.
   *
   * @param find looks into the packages
   */
  facts(
    entries: readonly GraphEntry[],
    find: (entries: readonly GraphEntry[]) => Promise<PackageFacts>,
  ): Promise<PackageFacts>
  /** Writes what was found out. */
  save(): void
}

interface Stored {
  readonly key: string
  readonly facts: PackageFacts
}

/** @param print of the compiler */
export function openPackages(file: string, print: string, root: string): PackageStore {
  let found: Stored | undefined
  return { facts, save }

  async function facts(
    ...[entries, find]: Parameters<PackageStore['facts']>
  ): Promise<PackageFacts> {
    const importers = entries.map(({ importer }) => importer)
    const asked = entries.map((one) => [
      one.specifier,
      relative(root, one.importer),
      one.isRequired,
    ])
    const key = digestOf(JSON.stringify([print, root, asked, installedPrint(importers)]))
    const content = readSealed(file)
    const stored = content === undefined ? undefined : (JSON.parse(content, revive) as Stored)
    if (stored?.key === key) return stored.facts
    found = { key, facts: await find(entries) }
    return found.facts
  }

  function save(): void {
    if (found !== undefined) writeSealed(file, JSON.stringify(found, replace))
  }
}

/** Maps and sets as lists with a mark. */
function replace(_: string, value: unknown): unknown {
  if (value instanceof Map) return { '#': 'map', of: [...value] }
  if (value instanceof Set) return { '#': 'set', of: [...value] }
  // `undefined` in a list would become `null`.
  return value === undefined ? { '#': 'undefined' } : value
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('#' in value)) return value
  const { '#': mark, of } = value as { '#': string; of: Iterable<never> }
  return mark === 'map' ? new Map(of) : mark === 'set' ? new Set(of) : undefined
}
