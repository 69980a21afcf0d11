import type { Diagnostic } from '../model/index.ts'

/** Problems that cause others: if a file can't be read to its end, its declarations are missing elsewhere. */
const causes: ReadonlySet<string> = new Set([
  'AOT_FACTORY_THROWS',
  'AOT_IMPORT_NOT_FOUND',
  'AOT_MODULE_THROWS',
  'AOT_SYNTAX_ERROR',
])

/** Sorts root causes first, then by place. */
export function byCauseAndPlace(a: Diagnostic, b: Diagnostic): number {
  const byCause = Number(causes.has(b.code)) - Number(causes.has(a.code))
  if (byCause !== 0) return byCause
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1
  return a.at.line - b.at.line || a.at.column - b.at.column || (a.code < b.code ? -1 : 1)
}
