import type { Message } from 'esbuild'
import type { RollupError } from 'rollup'
import type { SourceLocation } from '../../model/index.ts'
import { diagnostic } from '../../report/errors.ts'
import { DeployError, wholeFile } from '../deploy-error.ts'

/** An error of rollup, perhaps with those of esbuild: these have locations in the file, rollup's are in the transformed code. */
interface CauseOfProblem extends RollupError {
  readonly errors?: readonly Message[]
}

/** Describes why a module can't be bundled. Returns other errors as they are. */
export function bundleProblem(error: unknown, entry: string, root: string): unknown {
  const { message, id, loc, errors } = error as CauseOfProblem
  if (id === undefined && loc === undefined && errors === undefined) return error
  const [cause] = errors ?? []
  const location = id === undefined ? undefined : cause?.location
  const at: SourceLocation = {
    ...wholeFile(id === undefined ? entry : fileOf(id), root),
    ...(location && { line: location.line, column: location.column + 1 }),
  }
  // File and position are shown anyway, and the plugins that rollup recommends are in use. Ids of modules that plugins add aren't paths.
  const [first = ''] = (cause?.text ?? message).split('\n')
  const reason = first
    .replace(/"\0([^"?]*)\?[^"]*"/g, '"$1"')
    .replace(/^\[plugin [^\]]+\] /, '')
    .replace(/^\S+ ?\(\d+:\d+\): /, '')
    .replace(/ ?\(Note that you need plugins.*$/, '')
    .replace(/\.?\s*$/, '')
  return new DeployError(diagnostic('AOT_BUNDLE_FAILS', at, reason))
}

/** Returns the file of a module id of rollup. */
export function fileOf(id: string): string {
  return id.replace(/^\0/, '').replace(/\?.*$/, '')
}
