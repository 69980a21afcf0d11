/**
 * A fault at each function that a request runs, in each way: no request ends the process, each gets one answer, nothing is left
 * behind. Where Fastify survives, the answer is the same.
 *
 * Each place is tried in each way, at one of the paces and by one of the transports in turn; `TESTS=all npm test -- faults`
 * tries all of them. `LINE=5` compares `framework/5` with Fastify 5.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Cell, cells, nameOf } from './cells.ts'
import type { Outcome, Task } from './child.ts'
import { hosted } from './hosts.ts'
import { sites } from './sites.ts'
import { CaseProcess } from '../support/case-process.ts'
import { runsAll } from '../support/runs.ts'
/** Faults after which Fastify survives, with a different answer. The patterns match texts of `judge`. */
const differences: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /on Fastify 500 .*"… is not a function"/,
    reason: 'Fastify trips over its own stack when an answer fails for the third time.',
  },
  {
    pattern: /: 500 \{"statusCode":500,.* on Fastify 200 \{"statusCode":200,"error":"OK"/,
    reason: 'An error whose status cannot be read is answered with 200 by Fastify.',
  },
  {
    pattern: /^preParsingStream\w* gives.*: 400 .*neither text nor bytes.* on Fastify 400 /,
    reason: 'The message: Fastify lets the stream decode its chunks, ours takes them itself.',
  },
  {
    pattern:
      /^(parserOf\w+|preParsingStream\w*) .*, http1: (.*) \(next: closed\), on Fastify \2 \(next: ok\)/,
    reason: 'An error of the body closes the connection, as on Fastify 5.',
  },
  {
    pattern: /^trailerValue (lines|wide), .*: 200 \{"a":1\} \(next/,
    reason:
      'A trailer that would end the process over HTTP is left out; an injected request shows it on Fastify.',
  },
  {
    pattern:
      /^trailer(Value)? .*, (?:fetch|lambda\w*): 200 \{"a":1\} \(next: ok\), on Fastify \d+ .*\[x-trailer: /,
    reason: 'Responses of these platforms have no trailers.',
  },
  {
    pattern:
      / destroysThenThrows, .*, (?:fetch|lambda\w*): rejected \(next: ok\), on Fastify 500 |^errorHandlerOfInvalid destroysThenThrows, .*, (?:fetch|lambda\w*): rejected \(next: ok\), on Fastify 400 /,
    reason:
      'The promise of a destroyed answer is rejected; an injected request on Fastify gets one after all.',
  },
  {
    pattern: / goesThenThrows, .*, lambda\w*: 200 \{"a":1\} \(next: ok\), on Fastify 500 /,
    reason: 'The body of an event is there, so that the request is answered before a hook throws.',
  },
  {
    pattern:
      /^(?:logSerializerOfError|loggerError|serializer) throwTrap, .*: 500 .* on Fastify 500 /,
    reason: 'The message of an error that throws when it is read: Fastify tries again.',
  },
  {
    pattern: /^streamWithoutContent .*: 204 /,
    reason: 'Fastify reads a stream for a 204, and ours destroys it.',
  },
  {
    pattern:
      /: (\d+ (?:\{.*\}|missing))(?: \[x-trailer: value\])? \(next: ok\), on Fastify \1 (\(next: closed\)|cut off \(next: ok\))$/,
    reason: 'Fastify 5 cuts a connection off when something fails after a whole answer.',
  },
  {
    pattern:
      / goesThenFailsLater, .*, (?:fetch|lambda\w*): 200 \{"a":1\} \(next: ok\), on Fastify 500 /,
    reason: 'A `Response` is there as soon as its head is; an injected request waits for its end.',
  },
  {
    pattern:
      /^constraintCallback goesThen.*on Fastify 500 .*Unexpected error from async constraint/,
    reason:
      'An error of a constraint that is already known: Fastify answers with it although the handler runs.',
  },
  {
    pattern:
      /^(stream|onSendStream)\w* gives\w+, .*: \d+ .*FST_ERR_REP_INVALID_PAYLOAD_TYPE.* on Fastify 200 /,
    reason:
      'What no response takes, as the first that a stream gives, ends the answer on Fastify from Node 24 on, as it ended the process before.',
  },
  {
    pattern:
      /^(stream|onSendStream)\w* .*, http2: (\d+) chunk cut off \(next: ok\), on Fastify \2 chunk \(next/,
    reason: 'Over HTTP/2 an answer that is not whole looks whole on Fastify.',
  },
  {
    pattern:
      /^onSend failsThenThrows, later, http2: (500 \{.*\}) cut off \(next: ok\), on Fastify \1 \(next: ok\)$/,
    reason:
      'Both destroy the stream of an answer that fails after its end: Fastify a turn later, when the client has received it.',
  },
  {
    pattern:
      /^trailer \w+, (?:sync|promise), .*: 200 (\{"a":1\}(?: \[x-trailer: value\])?) \(next: ok\), on Fastify 500 \1 \(next: ok\)$/,
    reason:
      'An injected request on Fastify 5 shows the status that an error sets after the head was sent with 200.',
  },
  {
    pattern:
      /^schemaErrorFormatter\w* throwNothing, sync, .*: 500 {2}\(next: ok\), on Fastify 400 .*FST_ERR_CTP_INVALID_JSON_BODY/,
    reason:
      'The JSON parser of Fastify 5 catches what later steps throw in the same turn, and blames the body.',
  },
]

/** The result of a case: the outcome, or how the process ended. */
type Result = Outcome | { readonly died: string }

/** Ends after which no client is left, or only the connection can be closed. */
const SILENT = /^(destroysThenThrows|sendsHeadThenThrows)$/
/** The step is complete before the fault. */
const GONE_ON = /^(twice|twiceLater|laterTwice|goesThen\w+)$/
/** The answer without a fault. */
const UNHARMED = '200 {"a":1}'
/** Sites that run when the client has disconnected, or is cut off. */
const UNANSWERED = new Set([
  'onRequestAbort',
  'onTimeout',
  'clientErrorHandler',
  'preParsingStreamOfAborted',
])
/** The answer is complete before the fault, except perhaps for a trailer. */
const ANSWERED = /^200 \{"answered":true\}$|^200 (ended|hijacked)$/

/** Returns the problem of an outcome of ours, or `undefined`. `oracle` is that of Fastify. */
function judge(cell: Cell, ours: Result, oracle: Result): string | undefined {
  const problem = problemIn(cell, ours, oracle)
  return problem && `${nameOf(cell)}: ${problem}`
}

function problemIn(cell: Cell, ours: Result, oracle: Result): string | undefined {
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
  // A stream that fails after its first byte, which may not have left the process yet.
  if (answers.length === 0 && ours.next === 'closed' && /stream/i.test(cell.site)) return undefined
  if (answers.length !== 1) return `${answers.length} answers: ${answers.join(' and ')}`
  const [answer = ''] = answers
  if (ANSWERED.test(answer) || cell.site.startsWith('trailer')) return undefined
  // Later steps end Fastify's process, leave its client waiting, or let an injected request throw.
  const isLeftOut = known === undefined || (known.answers[0] ?? 'rejected') === 'rejected'
  if (GONE_ON.test(cell.end) && isLeftOut && answer === UNHARMED) return undefined
  const isTold = /^[45]\d\d /.test(answer) || /cut off$|^rejected$/.test(answer)
  // It was answered before the fault. Fastify 5 may cut the connection off after it.
  const expected = stable(known?.answers[0] ?? '').replace(/ cut off$/, '')
  if (isTold || answer === expected) return undefined
  return `an answer without an error: ${answer}`
}

/** Returns whether Fastify gave one answer, which can be compared. */
function survived({ escaped, answers, next }: Outcome, { site }: Cell): boolean {
  if (escaped.length > 0 || answers[0] === 'rejected') return false
  return (answers.length === 1 || UNANSWERED.has(site)) && (next === 'ok' || next === 'closed')
}

/** Removes differences between two implementations, and between ways to frame an answer. */
function stable(answer: string): string {
  return answer
    .replace(/[\w$.]+( is not a function)/, '…$1')
    .replace(/(Cannot read properties of \w+) \(reading '\w+'\)/, '$1')
}

const isLine5 = process.env['LINE'] === '5'
const framework = processOf(isLine5 ? 'framework/5' : 'framework')
const fastify = processOf(isLine5 ? 'fastify-5' : 'fastify')
after(() => {
  framework.stop()
  fastify.stop()
})

/**
 * Milliseconds that Fastify gets to answer. It often never does: few suffice to tell, unless the machine is busy, so that
 * Fastify gets a second try before anything counts as a problem.
 */
const SHORT = 150
const LONG = 3000
/** Milliseconds after which our answer counts as missing. */
const OURS = 5000

const chosen = runsAll ? cells : chooseInTurn(cells)

for (const site of sites.keys()) {
  const group = chosen.filter((cell) => cell.site === site)
  test(`${site}: one answer, whatever fails there`, async () => {
    const problems: string[] = []
    let faults = 0
    for (const cell of group) {
      const [ours, oracle] = await Promise.all([
        run(framework, cell, OURS),
        run(fastify, peerOf(cell), SHORT),
      ])
      faults += 'died' in ours ? 1 : ours.faults
      const problem =
        problemOf(cell, ours, oracle) &&
        problemOf(cell, ours, await run(fastify, peerOf(cell), LONG))
      if (problem !== undefined) problems.push(problem)
    }
    assert.deepEqual(problems, [])
    assert.ok(faults > 0, 'the function is never called')
  })
}

function processOf(name: string): CaseProcess<Task, Outcome> {
  return new CaseProcess({
    file: new URL('child.js', import.meta.url),
    args: [name],
    patience: 20_000,
  })
}

async function run(engine: typeof framework, cell: Cell, patience: number): Promise<Result> {
  const { seen, died } = await engine.run({ index: cells.indexOf(cell), patience })
  const [outcome] = seen
  return died === undefined && outcome !== undefined ? outcome : { died: died ?? '' }
}

function problemOf(cell: Cell, ours: Result, oracle: Result): string | undefined {
  const problem = judge(cell, ours, oracle)
  const isKnown = problem !== undefined && differences.some(({ pattern }) => pattern.test(problem))
  return isKnown ? undefined : problem
}

/** Chooses one cell of each place and way, and all cells that need nothing but a request. */
function chooseInTurn(all: readonly Cell[]): Cell[] {
  const pairs = new Map<string, Cell[]>()
  for (const cell of all) {
    const pair = `${cell.site} ${cell.end}`
    pairs.set(pair, [...(pairs.get(pair) ?? []), cell])
  }
  return [...pairs.values()].flatMap((group, i) =>
    group[0]?.site.startsWith('deep') ? group : [group[(i * 5) % group.length] as Cell],
  )
}

/** Fastify serves no platforms without sockets, so an injected request shows its answer. */
function peerOf(cell: Cell): Cell {
  if (!hosted.some((host) => host === cell.transport)) return cell
  return cells.find(
    ({ site, end, pace, transport }) =>
      site === cell.site && end === cell.end && pace === cell.pace && transport === 'inject',
  ) as Cell
}
