/** The build that `check --against` compares with: a manifest file, or a Git revision. */
import type { Manifest } from '../compiler/5-artifact/manifest.ts'
import { hasSchemas, readManifest } from '../compiler/5-artifact/read/reader.ts'
import type { BuildOptions } from '../compiler/options.ts'
import { findRevision, manifestOfRevision } from './revision/index.ts'
import { isFile } from '../compiler/util/paths.ts'
import type { Outcome } from './output.ts'
import { usageError } from './parse.ts'
import { listText, shownPath } from './text/problems.ts'

/** The command whose usage the errors show. */
const check = { name: 'check' }

/**
 * Returns the manifest to compare with, or the outcome if the revision can't be built.
 *
 * @throws UsageError if it is neither a manifest with schemas nor a revision
 */
export async function baselineManifest(
  against: string,
  options: BuildOptions,
): Promise<Manifest | Outcome> {
  if (isFile(against)) {
    const manifest = readManifest(against)
    if (manifest === undefined)
      throw usageError(`"${against}" isn't the manifest of an artifact.`, check)
    if (hasSchemas(manifest)) return manifest
    throw usageError(
      `"${against}" holds no schemas: an earlier version of framework wrote it. Build it again.`,
      check,
    )
  }
  const { entry } = options
  const revision = findRevision(against, entry)
  if (typeof revision === 'string') {
    const why =
      revision === 'no repository'
        ? `isn't a file, and "${shownPath(entry)}" isn't in a Git repository`
        : 'is neither a file nor a Git revision'
    throw usageError(`"${against}" ${why}.`, check)
  }
  const built = await manifestOfRevision(revision, options)
  if ('routes' in built) return built
  if (built.some(({ code }) => code === 'AOT_ENTRY_NOT_FOUND')) {
    const problems = `"${shownPath(revision.entry)}" is new since "${against}", which has no such file. Name an entry that is in both, as the file that made the application there: \`framework check <entry> --against ${against}\`.`
    return { ok: false, diagnostics: built, problems }
  }
  const problems = `The revision "${against}" can't be built:\n${listText(built)}`
  return { ok: false, diagnostics: built, problems }
}
