import path from 'node:path'
import type { BuildResult } from '../../compiler/build.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import { codeFrame } from '../../compiler/report/frame.ts'
import { SourceFiles } from '../../compiler/util/source-files.ts'
import { listText } from '../text/problems.ts'

/** An error as Rollup's plugins throw it. Vite shows its place and frame in the terminal and in the overlay. */
interface PlacedError extends Error {
  readonly code: string
  readonly plugin: string
  /** Absolute path. */
  readonly id: string
  readonly loc: { readonly file: string; readonly line: number; readonly column: number }
  readonly frame: string | undefined
}

/** Describes the problems of a build: the first one with its place, the others in the message. */
export function problemOf({
  diagnostics,
  options,
}: Pick<BuildResult, 'diagnostics' | 'options'>): PlacedError {
  const [first, ...others] = diagnostics as [Diagnostic, ...Diagnostic[]]
  const { code, at } = first
  const id = path.join(options.root, at.file)
  const files = new SourceFiles()
  const frame = files.isFile(id) ? codeFrame(files.text(id), at) : undefined
  const message = [`${code}: ${first.message}`, ...(others.length > 0 ? [listText(others)] : [])]
  const loc = { file: id, line: at.line, column: at.column }
  // The stack would show the plugin's code.
  return Object.assign(new Error(message.join('\n')), {
    code,
    plugin: 'framework',
    id,
    loc,
    frame,
    stack: '',
  })
}
