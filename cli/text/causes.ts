import type { Diagnostic } from '../../compiler/model/diagnostic.ts'
import { groupBy } from '../../compiler/util/group-by.ts'

/** At most this many problems with the same cause are listed. `--json` has all of them. */
const MAX_LISTED = 5

/**
 * Groups problems with the same place and reason, in the order of their first occurrence: one mistake may
 * break many schemas.
 */
export function groupByCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[][] {
  const groups = groupBy(diagnostics, ({ code, at, message }) => {
    const [subject, reason = subject] = splitMessage(message)
    return JSON.stringify([code, at, reason])
  })
  return [...groups.values()]
}

/** Lists problems that have the same cause as one that is shown in full. */
export function othersText(others: readonly Diagnostic[]): string {
  if (others.length === 0) return ''
  const named = others.slice(0, MAX_LISTED).map(({ message }) => `  ${splitMessage(message)[0]}`)
  const more = others.length > MAX_LISTED ? [`  and ${others.length - MAX_LISTED} more`] : []
  return ['\nFor the same reason:', ...named, ...more].join('\n')
}

/** Splits a message into its subject and the reason. */
function splitMessage(message: string): readonly [subject: string, reason?: string] {
  const end = message.indexOf(': ')
  return end === -1 ? [message] : [message.slice(0, end), message.slice(end)]
}
