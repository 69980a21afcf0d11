import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { About, OpenapiResult } from '../../compiler/openapi/index.ts'
import { isFile } from '../../compiler/options.ts'
import type { Outcome } from '../output.ts'
import type { Paint } from '../terminal.ts'
import { plural, shownPath } from './report.ts'

/** What package.json says. */
export function aboutOf(root: string): About {
  const file = join(root, 'package.json')
  const { name = basename(root), version = '1.0.0' } = isFile(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<About>)
    : {}
  return { name, version }
}

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
