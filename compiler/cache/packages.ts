import { relative } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { GraphEntry, PackageFacts } from '../packages/index.ts'
import { installationFingerprint } from './build-record.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'

/** Caches facts about packages, which take a look into all of their files. */
export interface PackageStore {
  /** Looks into the packages, unless an earlier build has seen the same imports and the same ones are installed. */
  facts(entries: readonly GraphEntry[]): Promise<PackageFacts>
  save(): void
}

interface Stored {
  readonly key: string
  readonly facts: PackageFacts
}

/** @param compiler fingerprint */
export function openPackages(file: string, compiler: string, root: string): PackageStore {
  let found: Stored | undefined
  return { facts, save }

  async function facts(entries: readonly GraphEntry[]): Promise<PackageFacts> {
    const installed = installationFingerprint(entries.map(({ importer }) => importer))
    const imports = entries.map((one) => [
      one.specifier,
      relative(root, one.importer),
      one.isRequired,
    ])
    const key = digestOf(JSON.stringify([root, imports, installed]))
    const stored = readChecksummed<Stored>(file, compiler)
    if (stored?.key === key) return stored.facts
    const { factsOf } = await import('../packages/index.ts')
    found = { key, facts: await factsOf(entries) }
    return found.facts
  }

  function save(): void {
    if (found !== undefined) writeChecksummed(file, compiler, found)
  }
}
