import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { OpenapiResult } from '../../compiler/openapi/index.ts'
import type { Outcome } from '../output.ts'
import type { Paint } from '../terminal.ts'
import { plural, shownPath } from './report.ts'

export function openapiOutcome(
  { document, unknown }: OpenapiResult,
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
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
  const paths = plural(Object.keys((document['paths'] ?? {}) as object).length, 'path')
  const report = `Wrote ${shownPath(file)}: ${paths}.`
  return { ok: true, result: { document, unknown }, report, problems }
}
