/** Finds the differences of two engines, and formats them as readable lines. */
import { isUtf8 } from 'node:buffer'
import { diffArrays } from 'diff'
import type { JournalEntry } from '../support/app-process.ts'
import type { Variation } from '../support/request.ts'
import type { Exchange, Outcome, Transcript } from './transcript.ts'

/** One request that two engines answered differently. */
export interface Difference {
  readonly title: string
  /** `- expected` and `+ actual` lines. */
  readonly lines: readonly string[]
}

/** The title under which the journal of opening and closing is compared. */
export const lifeTitle = 'opening and closing'

export function compare(
  exchanges: readonly Exchange[],
  expected: Transcript,
  actual: Transcript,
): Difference[] {
  const differences = exchanges.flatMap(({ title, request: { varies = [] } }, index) => {
    const facts = factsOf(expected.outcomes[index], varies)
    const lines = [
      // A listed difference has to occur.
      ...facts.filter((fact) => fact.startsWith(missing)),
      ...diff(facts, factsOf(actual.outcomes[index], varies)),
    ]
    return lines.length === 0 ? [] : [{ title, lines }]
  })
  const life = diff(journalFacts(expected.journal), journalFacts(actual.journal))
  return life.length === 0 ? differences : [...differences, { title: lifeTitle, lines: life }]
}

const missing = 'missing '

/** Everything in an outcome that is compared, one fact per line. */
function factsOf(outcome: Outcome | undefined, varies: readonly Variation[]): string[] {
  if (outcome === undefined) return ['no outcome']
  const { answer, journal } = outcome
  if ('failure' in answer) return [`failure ${answer.failure}`, ...journalFacts(journal)]
  if ('raw' in answer) {
    const whole = { name: 'body', text: withoutDates(answer.raw) }
    const { texts, missing: absent } = withoutVariations([whole], varies)
    return [...texts[0]!.split('\r\n'), ...absentFacts(absent), ...journalFacts(journal)]
  }
  const differing = answer.status >= 400 ? ofErrors : ofDates
  const headers = answer.headers.filter(([name]) => !differing.test(name))
  const { texts, missing: absent } = withoutVariations(
    [
      ...headers.map(([name, text]) => ({ name: name.toLowerCase(), text })),
      { name: 'body', text: answer.body },
    ],
    varies,
  )
  return [
    `status  ${answer.status} ${answer.statusMessage}`,
    ...headers.map(([name], index) => `header  ${name}: ${texts[index]}`),
    bodyFact(texts.at(-1)!),
    ...absentFacts(absent),
    ...journalFacts(journal),
  ]
}

const ofDates = /^date$/i
/** After an error of the body, Fastify 4.21 keeps the connection open. */
const ofErrors = /^(?:date|connection|keep-alive)$/i

function bodyFact(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes)
    ? `body    ${JSON.stringify(bytes.toString())}`
    : `body    latin-1 ${JSON.stringify(latin1)}`
}

function absentFacts(absent: readonly string[]): string[] {
  return absent.map((what) => `${missing}${what}`)
}

function journalFacts(journal: readonly JournalEntry[]): string[] {
  return journal.map(
    ({ event, part, detail }) =>
      `journal ${event} in ${part}${detail === undefined ? '' : ` ${JSON.stringify(detail)}`}`,
  )
}

function withoutDates(raw: string): string {
  const isError = /^HTTP\/1.1 [45]/.test(raw)
  return raw.replace(
    isError ? /^(?:date|connection|keep-alive): .*\r\n/gim : /^date: .*\r\n/gim,
    '',
  )
}

/** The lines of one side only. */
function diff(expected: readonly string[], actual: readonly string[]): string[] {
  return diffArrays([...expected], [...actual]).flatMap(({ value, added, removed }) =>
    added || removed ? value.map((line) => `${added ? '+' : '-'} ${line}`) : [],
  )
}

/** One place of an answer: a header by its name in lower case, or `body`. */
export interface Place {
  readonly name: string
  readonly text: string
}

/** The texts with each varying value replaced by `<name 1>`, `<name 2>`, …; and the variations that are missing. */
function withoutVariations(places: readonly Place[], variations: readonly Variation[]) {
  const texts = places.map(({ text }) => text)
  const missing: string[] = []
  for (const { name, in: where, pattern } of variations) {
    const known = new Map<string, string>()
    const replace = (value: string): string => {
      const replacement = known.get(value) ?? `<${name} ${known.size + 1}>`
      known.set(value, replacement)
      return replacement
    }
    for (const wanted of where) {
      let found = false
      for (const [index, place] of places.entries()) {
        if (place.name !== wanted) continue
        const text = texts[index]!
        texts[index] = text.replace(pattern, replace)
        found ||= texts[index] !== text
      }
      if (!found) missing.push(`there is no ${name} in ${wanted}`)
    }
  }
  return { texts, missing }
}
