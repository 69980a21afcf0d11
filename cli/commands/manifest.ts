import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import {
  artifactFolder,
  hasSchemas,
  readArtifact,
  targetOf,
} from '../../compiler/5-artifact/read/reader.ts'
import type { About } from '../openapi/index.ts'
import { packageJsonIn } from '../../compiler/util/package-json.ts'
import type { Values } from '../command.ts'
import type { readingOptions } from './compiler-options.ts'
import { readCompilerOptions } from './compiler-options.ts'
import { entryFor } from '../entry.ts'
import type { Outcome, Output } from '../output.ts'
import { usageError } from '../parse.ts'

/** An application's manifest, read from its artifact or computed from its source. */
export interface LoadedManifest {
  readonly manifest: Manifest
  /** Places are relative to this folder. */
  readonly root: string
  /** Reads a file of the artifact, which may not be on disk. */
  read(file: string): string
}

/** Reads the artifact. Scans the source if an entry is given, or the default folder has no artifact. */
export async function loadManifest(
  values: Values<typeof readingOptions>,
  given: string | undefined,
  output: Output,
): Promise<LoadedManifest | Outcome> {
  const options = readCompilerOptions(values)
  const out = values.artifact
  const folder = artifactFolder(out)
  const built = given === undefined ? readArtifact(folder) : undefined
  if (built !== undefined) {
    if (!hasSchemas(built.manifest)) {
      throw usageError(
        `An earlier version of framework wrote the artifact in "${folder}". Build it again.`,
      )
    }
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
    return { manifest: built.manifest, root: built.root, read }
  }
  if (given === undefined && out !== undefined) {
    throw usageError(
      `There is no artifact in "${folder}". Build it, or pass the file that makes the application, such as "app.js".`,
    )
  }
  const entry = await entryFor(given, undefined)
  const { pendingBuild } = await import('../../compiler/build.ts')
  const progress = output.progress()
  const requested = { ...options, entry, out, line: targetOf(out, entry) }
  const found = await pendingBuild(requested, progress.show)
  progress.clear()
  if (found.artifact === undefined) {
    const { failedBuild } = await import('../text/problems.ts')
    return failedBuild(found, requested, output.paintError)
  }
  const { manifest, output: files } = found.artifact
  const read = (file: string): string => files.entryFiles.get(file) ?? files.parts.get(file) ?? ''
  return { manifest, root: found.options.root, read }
}

export function isOutcome(loaded: LoadedManifest | Outcome): loaded is Outcome {
  return 'ok' in loaded
}

/** Reads name and version of the application from package.json. */
export function aboutOf(root: string): About {
  const { name = basename(root), version = '1.0.0' } = packageJsonIn(root)
  return { name, version }
}
