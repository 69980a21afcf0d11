/** Writes an artifact, or says why it can't be written. */
import type { Diagnostic, Output, ResolvedOptions, SourceLocation } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { displayPath } from '../util/paths.ts'
import { isFileError } from '../util/source-files.ts'
import { outputObstacle } from './output-obstacle.ts'
import { overwriteConflict } from './overwrite-conflict.ts'
import { write } from './write.ts'

/** Checks early that an artifact can be written to its folder. */
export function obstacleTo(options: ResolvedOptions): Diagnostic | undefined {
  const obstacle = outputObstacle(options.out, options.root)
  return obstacle === undefined ? undefined : notWritable(options, obstacle)
}

/** Returns the problem that prevented writing, if any. */
export function writeArtifact(output: Output, options: ResolvedOptions): Diagnostic | undefined {
  const display = (path: string): string => displayPath(path, options.root)
  try {
    const conflict = overwriteConflict(output, options.out)
    if (conflict === undefined) {
      write(output, options.out)
      return undefined
    }
    const file = display(conflict.file)
    return conflict.type === 'replace'
      ? diagnostic('AOT_OUTPUT_NOT_OURS', placeOf(options), file)
      : diagnostic('AOT_OUTPUT_LEADS_OUT', placeOf(options), file, display(conflict.target))
  } catch (error) {
    if (!isFileError(error)) throw error
    return notWritable(options, error.message)
  }
}

function notWritable(options: ResolvedOptions, reason: string): Diagnostic {
  const at = placeOf(options)
  return diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, at.file, reason)
}

/** The folder of the artifact as a place. */
function placeOf({ out, root }: ResolvedOptions): SourceLocation {
  return { file: displayPath(out, root), line: 0, column: 0 }
}
