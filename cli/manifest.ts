import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../compiler/5-bundle/manifest.ts'
import { artifactFolder, readBuilt } from '../compiler/artifact/reader.ts'
import { hasSchemas } from '../compiler/artifact/schemas.ts'
import type { BuildOptions } from '../compiler/options.ts'
import { mainOfPackage, noEntry } from './entry.ts'
import type { Outcome, Output } from './output.ts'
import { refusal } from './parse.ts'

/** What is known of an application, from its artifact or from its source. */
export interface Known {
  readonly manifest: Manifest
  /** The folder that places are relative to. */
  readonly root: string
  /** Gives a file of the artifact, written or not. */
  read(file: string): string
}

/**
 * Without an entry what is known is the artifact that is there; with one, and where there is none, the source is read as a build
 * does.
 */
export async function knownOf(
  given: string | undefined,
  { out, ...options }: Omit<BuildOptions, 'entry'>,
  output: Output,
): Promise<Known | Outcome> {
  const folder = artifactFolder(out)
  const built = given === undefined ? readBuilt(folder) : undefined
  if (built !== undefined) {
    if (!hasSchemas(built.manifest)) {
      throw refusal('The artifact was written by an earlier version of framework: build it anew.')
    }
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
    return { manifest: built.manifest, root: built.root, read }
  }
  const entry = given ?? (out === undefined ? mainOfPackage() : undefined)
  if (entry === undefined) throw noEntry(folder)
  const { current } = await import('../compiler/artifact/pending-build.ts')
  const progress = output.progress()
  const asked = { ...options, entry, out }
  const found = await current(asked, progress.show)
  progress.clear()
  if (found.artifact === undefined) {
    const { refused } = await import('./text/report.ts')
    return refused(found, asked, output.paintError)
  }
  const { manifest, output: files } = found.artifact
  const read = (file: string): string => files.heads.get(file) ?? files.parts.get(file) ?? ''
  return { manifest, root: found.options.root, read }
}

export function isOutcome(known: Known | Outcome): known is Outcome {
  return 'ok' in known
}
