/** Judges the outcome of a fault. */
import { type Cell, nameOf } from './cells.ts'
import type { Outcome } from './child.ts'

/** The result of a case: the outcome, or how the process ended. */
export type Result = Outcome | { readonly died: string }

/** Ends that leave no client, or no answer but closing the connection. */
const SILENT = /^(destroysThenThrows|sendsHeadThenThrows)$/
/** The step is done before anything goes wrong. */
const GONE_ON = /^(twice|twiceLater|laterTwice|goesThen\w+)$/
/** The answer if nothing goes wrong. */
const UNHARMED = '200 {"a":1}'
/** Sites that run when the client has gone, or is cut off. */
const UNANSWERED = new Set(['onRequestAbort', 'onTimeout', 'clientErrorHandler'])
/** The answer is out before anything goes wrong, or as good as out: it only lacks a trailer. */
const ANSWERED = /^200 \{"answered":true\}$|^200 (ended|hijacked)$/

/** Returns the problem of an outcome of ours, or `undefined`. `oracle` is that of Fastify. */
export function judge(cell: Cell, ours: Result, oracle: Result): string | undefined {
  const problem = problemOf(cell, ours, oracle)
  return problem && `${nameOf(cell)}: ${problem}`
}

function problemOf(cell: Cell, ours: Result, oracle: Result): string | undefined {
  if ('died' in ours) return `the process ends: ${ours.died}`
  if (!ours.isClosed) return 'the application does not close'
  if (ours.leaks.length > 0) return `left behind: ${ours.leaks.join(', ')}`
  if (ours.faults === 0 && !('died' in oracle) && oracle.faults > 0)
    return 'the fault is not reached'
  const answers = ours.answers.map(stable)
  const known = 'died' in oracle ? undefined : oracle
  if (known !== undefined && survived(known, cell)) {
    const expected = known.answers.map(stable)
    if (answers.join('\n') === expected.join('\n') && ours.next === known.next) return undefined
    return `${answers.join(' and ')} (next: ${ours.next}), on Fastify ${expected.join(' and ')} (next: ${known.next})`
  }
  if (ours.next !== 'ok' && ours.next !== 'closed') return `the next request: ${ours.next}`
  if (UNANSWERED.has(cell.site)) return undefined
  if (SILENT.test(cell.end)) return answers.length < 2 ? undefined : answers.join(' and ')
  // A stream that fails after its first byte: that may not have left the process.
  if (answers.length === 0 && ours.next === 'closed' && /stream/i.test(cell.site)) return undefined
  if (answers.length !== 1) return `${answers.length} answers: ${answers.join(' and ')}`
  const [answer = ''] = answers
  if (ANSWERED.test(answer) || cell.site.startsWith('trailer')) return undefined
  // Fastify ends its process, or leaves the client waiting, over what comes after the step.
  const isLeftOut = known === undefined || known.answers.length === 0
  if (GONE_ON.test(cell.end) && isLeftOut && answer === UNHARMED) return undefined
  const isTold = /^[45]\d\d /.test(answer) || /cut off$|^rejected$/.test(answer)
  // It was answered before anything went wrong.
  if (isTold || answer === stable(known?.answers[0] ?? '')) return undefined
  return `an answer without an error: ${answer}`
}

/** Returns whether Fastify gave one answer, which can be compared. */
function survived({ escaped, answers, next }: Outcome, { site }: Cell): boolean {
  if (escaped.length > 0 || answers[0] === 'rejected') return false
  return (answers.length === 1 || UNANSWERED.has(site)) && (next === 'ok' || next === 'closed')
}

/** Without what differs between two pieces of code, or between the ways that an answer is framed. */
function stable(answer: string): string {
  return answer
    .replace(/[\w$.]+( is not a function)/, '…$1')
    .replace(/(Cannot read properties of \w+) \(reading '\w+'\)/, '$1')
}
