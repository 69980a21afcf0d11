/**
 * The kinds of differences from Fastify 4.21 that are allowed in any application, for random ones, whose requests nobody can
 * list. docs/differences.md and docs/security.md describe them. A kind is recognised as narrowly as it can be: by the schemas
 * that were met, and by what differs.
 */
import { isDeepStrictEqual } from 'node:util'
import { isDefectiveOutcome } from '../fuzz/oracle-defects.ts'
import { withoutVariables } from '../support/outcome.ts'
import type { Answer } from '../support/wire.ts'
import type { Outcome } from './transcript.ts'

/** A request that is answered in two ways, with the schemas that it met. */
export interface Seen {
  readonly parts: readonly SeenSchema[]
  /** The shared schemas that those may refer to. */
  readonly externals: Readonly<Record<string, unknown>>
  readonly expected: Outcome
  readonly actual: Outcome
}

export interface SeenSchema {
  readonly part: 'body' | 'headers' | 'params' | 'querystring' | 'response'
  readonly schema: unknown
}

export interface KnownKind {
  /** Why it differs, and why that is right. */
  readonly reason: string
  readonly showsIn: (seen: Seen) => boolean
}

export const knownKinds: readonly KnownKind[] = [
  {
    reason: 'V8 names the variable that holds what is no function; ours has another name.',
    showsIn: (seen) =>
      isInAnswer(seen, (expected, actual) => {
        return withoutVariables(messageOf(expected)) === withoutVariables(messageOf(actual))
      }),
  },
  {
    reason:
      'fast-json-stringify 5, which Fastify 4.21 uses, is wrong where version 7 is not: test/fuzz/oracle-defects.ts.',
    showsIn: (seen) =>
      isInAnswer(seen, (expected, actual) => {
        const responses = seen.parts.filter(({ part }) => part === 'response')
        const schemas = [responses.map(({ schema }) => schema), seen.externals]
        return isDefectiveOutcome(schemas, serialized(expected), serialized(actual))
      }),
  },
]

/** Whether both went the same way until the answer was written, and the answers are as said. */
function isInAnswer(
  { expected, actual }: Seen,
  are: (expected: Answer, actual: Answer) => boolean,
): boolean {
  const [one, other] = [expected.answer, actual.answer]
  return (
    'body' in one &&
    'body' in other &&
    isDeepStrictEqual(firstOf(expected), firstOf(actual)) &&
    are(one, other)
  )
}

/** What the handler has seen; an error handler is told what the serializer says. */
function firstOf({ journal }: Outcome): unknown {
  return journal[0]
}

/** The message of a default error answer. */
function messageOf({ body }: Answer): string {
  return /"message":"(.*?)"[,}]/.exec(body)?.[1] ?? body
}

/** The answer as an outcome of the serializer alone. */
function serialized(answer: Answer): { readonly result: string } | { readonly thrown: string } {
  const text = Buffer.from(answer.body, 'latin1').toString()
  if (answer.status === 500) return { thrown: `TypeError: ${messageOf({ ...answer, body: text })}` }
  // On the wire a lone surrogate is the replacement character, unless it is escaped.
  return { result: text.replace(/\\ud[89a-f][\da-f]{2}/gi, '\uFFFD') }
}
