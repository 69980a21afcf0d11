import type { Diagnostic } from '../../compiler/model/diagnostic.ts'
import { groupBy } from '../../compiler/util/group-by.ts'

/** At most this many problems with the same cause are listed. `--json` has all of them. */
const MAX_LISTED = 5

/** From this number of places on, the same message is shown in full once. */
const MANY = 4

/**
 * Groups problems with the same place and reason, in the order of their first occurrence: one mistake may
 * break many schemas. An unknown prefix makes many URLs unknown, at places of their own.
 */
export function groupByCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[][] {
  const bySubject = groupBy(diagnostics, ({ code, at, message }) => {
    const [subject, reason = subject] = splitMessage(message)
    return JSON.stringify([code, at, reason])
  })
  const byMessage = groupBy([...bySubject.values()], ([first]) => String(first?.message))
  return [...byMessage.values()].flatMap((same) => (same.length < MANY ? same : [same.flat()]))
}

/** Lists problems that have the same cause as one that is shown in full: by their subject, or by their place if that differs. */
export function othersText([first, ...others]: readonly Diagnostic[]): string {
  if (first === undefined || others.length === 0) return ''
  const isElsewhere = others.some(({ message }) => message === first.message)
  const all = others.map(({ message, at }) =>
    isElsewhere ? placeText(at) : splitMessage(message)[0],
  )
  const named = all.slice(0, MAX_LISTED).map((one) => `  ${one}`)
  const more = others.length > MAX_LISTED ? [`  and ${others.length - MAX_LISTED} more`] : []
  return ['\nFor the same reason:', ...named, ...more].join('\n')
}

export function placeText({ file, line, column }: Omit<Diagnostic['at'], 'neededBy'>): string {
  return line === 0 ? file : `${file}:${line}:${column}`
}

/** Splits a message into its subject and the reason. */
function splitMessage(message: string): readonly [subject: string, reason?: string] {
  const end = message.indexOf(': ')
  return end === -1 ? [message] : [message.slice(0, end), message.slice(end)]
}
