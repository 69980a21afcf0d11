import { plural } from '../../compiler/page/units.ts'
import { resolve } from 'node:path'
import { writeOwn } from '../../compiler/util/atomic-write.ts'
import { noteWritten } from '../../compiler/watch/written.ts'
import type { WrittenDocument } from '../../compiler/openapi/index.ts'
import type { Outcome } from '../output.ts'
import type { Paint } from '../terminal.ts'
import { problemOutcome, shownPath } from './report.ts'

export function openapiOutcome(
  { document, unknown }: WrittenDocument,
  root: string,
  out: string | undefined,
  paint: Paint,
): Outcome {
  const text = JSON.stringify(document, null, 2)
  const problems =
    unknown.length === 0
      ? ''
      : `${paint('yellow', 'Not in the document, because only the running application knows it:')}\n${unknown.map((one) => `  ${one}`).join('\n')}`
  if (out === undefined) return { ok: true, result: { document, unknown }, answer: text, problems }
  const file = resolve(out)
  noteWritten(file, `${text}\n`)
  const problem = writeOwn(file, `${text}\n`, shownPath(file), isDocument)
  if (problem !== undefined) return problemOutcome(problem, root, paint)
  const paths = plural(Object.keys((document['paths'] ?? {}) as object).length, 'path')
  const report = `Wrote ${shownPath(file)}: ${paths}.`
  return { ok: true, result: { document, unknown }, report, problems }
}

/** Other files aren't replaced: the user may have named the entry by mistake. */
function isDocument(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { openapi?: unknown } | null)?.openapi === 'string'
  } catch {
    return false
  }
}
