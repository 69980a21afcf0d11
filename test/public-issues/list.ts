/** Writes the list of issues, with the results and verdicts. */
import { isDeepStrictEqual } from 'node:util'
import type { PublicIssue } from './issue.ts'

/** The observations of one issue. */
export interface Observations {
  readonly issue: PublicIssue
  /** On Fastify 4.21. */
  readonly old: readonly string[]
  /** On Fastify 5. */
  readonly next: readonly string[]
  readonly ours: readonly string[]
}

type Verdict = 'right' | 'like 4.21' | 'wrong'

/** The test checks what a decision needs. */
function verdictOf({ issue, ours }: Observations): Verdict {
  if (isDeepStrictEqual(ours, issue.right)) return 'right'
  return issue.decision === undefined ? 'wrong' : 'like 4.21'
}

export function listOf(all: readonly Observations[]): string {
  const rows = all.map((one) => {
    const { issue, old, next, ours } = one
    const result = (lines: readonly string[]): string =>
      isDeepStrictEqual(lines, issue.right) ? 'right' : cell(lines)
    const link = `[${issue.issue}](https://github.com/${issue.issue.replace('#', '/issues/')})`
    return [link, issue.what, result(old), result(next), result(ours), verdictOf(one)]
  })
  const count = (verdict: Verdict): number => all.filter((one) => verdictOf(one) === verdict).length
  return [
    '# Public issues',
    '',
    'Defects from the public trackers of Fastify and its packages, each tried on Fastify 4.21.0, Fastify 5.12.8 and framework.',
    `The test beside this file writes it: ${all.length} issues, ${count('right')} right, ${count('like 4.21')} like 4.21 by decision, ${count('wrong')} wrong.`,
    '',
    ...[
      ['issue', 'defect', '4.21.0', '5.12.8', 'framework', 'verdict'],
      Array(6).fill('-'),
      ...rows,
    ].map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n')
}

/** An observation, short enough for a table. */
function cell(lines: readonly string[]): string {
  const text = lines.join(' / ').replace(/\s/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'")
  return text === '' ? 'nothing' : `\`${text.length > 120 ? `${text.slice(0, 117)}…` : text}\``
}
