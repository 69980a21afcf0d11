/**
 * The kinds of differences from Fastify 4.21 that are allowed in any application, for random ones, whose requests can't be
 * listed. docs/reference/differences.md and docs/reference/security.md describe them. A kind is recognised as narrowly as it can be: by the schemas
 * that were met, and by what differs.
 */
import { isDeepStrictEqual } from 'node:util'
import { lowerCaseHeaders } from '../../runtime/artifact/header-names.ts'
import { breaksAtName, breaksCode, isDefectiveOutcome } from '../fuzz/oracle-defects.ts'
import type { JournalEntry } from '../support/app-process.ts'
import { withoutCounts, withoutVariables } from '../support/outcome.ts'
import type { ParityRequest } from '../support/request.ts'
import type { Answer } from '../support/wire.ts'
import type { Outcome } from './transcript.ts'

/** A request with two different answers, and the schemas that were used for it. */
export interface Seen {
  readonly parts: readonly SeenSchema[]
  /** The shared schemas that these may refer to. */
  readonly externals: Readonly<Record<string, unknown>>
  readonly request: ParityRequest
  /** The status that the handler set. */
  readonly status: number
  readonly expected: Outcome
  readonly actual: Outcome
  /** The differences, as `compare` writes them. */
  readonly lines: readonly string[]
}

export interface SeenSchema {
  readonly part: 'body' | 'headers' | 'params' | 'querystring' | 'response'
  readonly schema: unknown
  /** The media type of a response schema that depends on it. */
  readonly contentType?: string
}

export interface KnownKind {
  /** The reason, and why this answer is right. */
  readonly reason: string
  readonly showsIn: (seen: Seen) => boolean
}

/** A defect of Fastify 4 itself. */
export const serializerDefect: KnownKind = {
  reason:
    'fast-json-stringify 5, which Fastify 4 uses, is wrong where version 7 is not: test/fuzz/oracle-defects.ts.',
  showsIn: (seen) =>
    isInAnswer(seen, (expected, actual) => {
      const responses = seen.parts.filter(({ part }) => part === 'response')
      const schemas = [responses.map(({ schema }) => schema), seen.externals]
      if (isHiddenError(expected) && breaksCode(schemas)) return true
      const fails = expected.status === 500 && breaksAtName(schemas)
      if (fails && actual.status !== 500 && actual.status === seen.status) return true
      // Its code fails before it reaches the difference.
      if (fails && actual.status === 500 && UNDEFINED.test(messageOf(expected))) return true
      // A handler may have sent an answer with the status of an error.
      const areAlike = expected.status === actual.status
      if (areAlike && isDefectiveOutcome(schemas, resultOf(expected), resultOf(actual))) return true
      return isDefectiveOutcome(schemas, serialized(expected), serialized(actual))
    }),
}

/** V8's message about code that came from a name. */
const UNDEFINED = /^\w+ is not defined$/

/** A defect of Fastify 5. */
export const lostInstancePath: KnownKind = {
  reason: 'With `code: { es5: true }` for Ajv, Fastify 5 loses where a value is invalid.',
  showsIn: (seen) => isAllBut(seen, withoutInstancePaths),
}

function withoutInstancePaths(text: string): string {
  return text.replace(/\\*"instancePath\\*":\\*"[^"]*",|instancePath: '[^']*', |undefined/g, '')
}

/** A difference from both lines. */
export const spelledMediaType: KnownKind = {
  reason: 'Response schemas apply to every spelling of their media type (RFC 9110, section 8.3.1).',
  showsIn: (seen) =>
    isInAnswer(seen, () => true) &&
    seen.parts.some(({ part, contentType }) => part === 'response' && contentType?.includes(';')),
}

/** The error of Fastify 4 for an error whose response schema depends on the content type. */
export const noSerializer = 'Error: serializerFn is not a function.'

/** A difference from both lines. Fastify 5 keeps these headers only if the handler gives no payload. */
export const headersOfNoContent: KnownKind = {
  reason: 'A 204 has no content, and no headers about it (RFC 9110).',
  showsIn: (seen) => seen.lines.length > 0 && besidesContent(seen).length === 0,
}

/** Traces of generated code in answers. */
export const codeKinds: readonly KnownKind[] = [
  {
    reason: 'V8 names the variable that holds what is no function; ours has another name.',
    showsIn: (seen) => isAllBut(seen, withoutVariables),
  },
  {
    reason: 'A response schema names a function that errors inherit: its text is that of our code.',
    showsIn: (seen) => {
      const responses = seen.parts.filter(({ part }) => part === 'response')
      return (
        /"(?:constructor|toString)":/.test(JSON.stringify([responses, seen.externals])) &&
        isAllBut(seen, withoutFunctions)
      )
    },
  },
  {
    reason:
      'fast-json-stringify numbers the names that it makes up through the life of the process; ours through a function.',
    showsIn: (seen) => isAllBut(seen, withoutCounts),
  },
  {
    reason:
      'fast-json-stringify writes `undefined` for a value without JSON, where ours leaves it out, or writes `null`, as `JSON.stringify` does.',
    showsIn: (seen) =>
      isInAnswer(seen, ({ status, body }, actual) => {
        const text = String(body)
        const written = withoutUndefined(text)
        return status === actual.status && written !== text && written === String(actual.body)
      }),
  },
]

function withoutUndefined(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*":undefined,?/g, '')
    .replaceAll(',}', '}')
    .replaceAll(/(?<=[[,]|^)undefined(?=[\],]|$)/g, 'null')
}

export const knownKinds: readonly KnownKind[] = [
  ...codeKinds,
  serializerDefect,
  spelledMediaType,
  {
    reason:
      'A URL that cannot be decoded is a bad request, not a route that is missing (fastify 5.12).',
    showsIn: ({ request, expected, actual }) =>
      !canBeDecoded(request.target.replace(/[?;#].*$/s, '')) &&
      statusOf(expected) === 404 &&
      statusOf(actual) === 400 &&
      actual.journal.length === 0,
  },
  headersOfNoContent,
  {
    reason: '`constructor: null` in a JSON body is a value like any other.',
    showsIn: ({ request: { body = '' }, expected }) =>
      /"constructor"\s*:\s*null/.test(String(body)) &&
      expected.journal.every(({ event }) => event !== 'handler'),
  },
  {
    reason:
      'Fastify looks for the serializer of an error in schemas by content type, and finds none; here it is serialized.',
    showsIn: (seen) =>
      isInAnswer(seen, ({ body }) => body.includes(noSerializer)) &&
      seen.lines.every((line) => /^[-+] (?:header {2}content-length|body|status)/.test(line)),
  },
  {
    reason:
      'A parameter that is too long leaves the request to other routes and 404 handlers (find-my-way 9).',
    showsIn: ({ request, expected, actual }) =>
      /[^/]{4}/.test(request.target) &&
      // An error handler of the application gets the error, too.
      (JSON.stringify(expected).includes('FST_ERR_NOT_FOUND') ||
        (request.method === 'HEAD' && statusOf(expected) === 404)) &&
      expected.journal.every(({ event }) => event === 'error') &&
      statusOf(actual) !== undefined,
  },
  {
    reason: '`bodyLimit` counts bytes, not characters (fastify 5.5).',
    showsIn: ({ request: { body = '' }, expected, actual }) =>
      Buffer.byteLength(body) > body.length &&
      statusOf(expected) !== 413 &&
      statusOf(actual) === 413,
  },
  {
    reason:
      'A coerced body that is no object reaches the handler as it was coerced (GHSA-w2qp-rph6-63g4).',
    showsIn: (seen) =>
      seen.parts.some(({ part }) => part === 'body') &&
      besidesContent(seen).every((line) => IN_JOURNAL.test(line)) &&
      isDeepStrictEqual(
        seen.expected.journal.map(withoutBody),
        seen.actual.journal.map(withoutBody),
      ),
  },
  {
    reason: 'A schema for a part of the request that is `false` lets nothing pass (fastify 5.12).',
    showsIn: ({ parts, actual, lines }) => {
      if (!parts.some(({ part, schema }) => part !== 'response' && schema === false)) return false
      return (
        JSON.stringify(actual).includes('boolean schema is false') ||
        actual.journal.every(({ event }) => event !== 'handler') ||
        // The handler's view if Ajv makes no messages.
        lines.some((line) => line.startsWith('+') && line.includes("keyword: 'false schema'"))
      )
    },
  },
  {
    reason: 'Header names count as lower case wherever a header schema says one (fastify 5.12).',
    showsIn: ({ parts, externals }) =>
      parts.some(
        ({ part, schema }) =>
          part === 'headers' &&
          (hasDeepName(schema as Json) ||
            Object.values(externals).some((one) => lowerCaseHeaders(one) !== one)),
      ),
  },
]

/**
 * Returns the kind that a request shows. If none explains everything, one may explain the answer and another the journal: the kind of
 * the answer is returned.
 */
export function kindOf(seen: Seen): KnownKind | undefined {
  const find = (one: Seen): KnownKind | undefined => knownKinds.find(({ showsIn }) => showsIn(one))
  const { expected, actual, lines } = seen
  const ofJournal = lines.filter((line) => IN_JOURNAL.test(line))
  const ofAnswer = lines.filter((line) => !IN_JOURNAL.test(line))
  const whole = find(seen)
  if (whole !== undefined || ofJournal.length === 0 || ofAnswer.length === 0) return whole
  const withJournal = { ...expected, answer: actual.answer }
  const withAnswer = { ...expected, journal: actual.journal }
  const isKnownJournal = find({ ...seen, expected: withJournal, lines: ofJournal }) !== undefined
  return isKnownJournal ? find({ ...seen, expected: withAnswer, lines: ofAnswer }) : undefined
}

const IN_JOURNAL = /^[-+] journal/

/** As a text, or as a value that cannot become a number. */
const SHOWN_FUNCTION =
  /(?<="(?:constructor|toString)":")function (?:[^"\\]|\\.)*|(?<=The value \\?")function .*?(?=\\?" cannot be converted)/g

function withoutFunctions(text: string): string {
  return text.replace(SHOWN_FUNCTION, 'function')
}

type Json = Readonly<Record<string, unknown>>

function statusOf({ answer }: Outcome): number | undefined {
  return 'status' in answer ? answer.status : undefined
}

/** Returns the differences other than content that is left out because the status has none. */
function besidesContent({ expected, actual, lines }: Seen): readonly string[] {
  const status = statusOf(actual)
  if (status !== 204 || statusOf(expected) !== status) return lines
  return lines.filter((line) => !LEFT_OUT.test(line))
}

const LEFT_OUT =
  /^(?:- (?:header {2}content-(?:type|length): |body)|\+ (?:header {2}content-length: 0|body {4}"")$)/

function canBeDecoded(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Notes of random applications begin with the body of the request. */
function withoutBody({ detail, ...entry }: JournalEntry): JournalEntry {
  return { ...entry, detail: String(detail).replace(/^\{\s+body: .*?,\s+query: /s, '{ query: ') }
}

/** Returns whether header names are in capitals where Fastify 4.21 leaves them as they are. */
function hasDeepName(schema: Json): boolean {
  const { properties, required, ...rest } = schema
  const asFastify = {
    ...rest,
    ...(properties !== undefined && { properties: withLowerKeys(properties as Json) }),
    ...(Array.isArray(required) && {
      required: required.map((name) => String(name).toLowerCase()),
    }),
  }
  return !isDeepStrictEqual(lowerCaseHeaders(schema), asFastify)
}

function withLowerKeys(members: Json): Json {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name.toLowerCase(), member]),
  )
}

/** Returns whether only the parts differ that `without` removes from texts, and their length. */
function isAllBut({ expected, actual }: Seen, without: (text: string) => string): boolean {
  const [one, other] = [expected, actual].map(({ answer, journal }) => ({
    answer: 'body' in answer ? { ...answer, ...plainOf(answer) } : answer,
    journal: journal.map((entry) => ({ ...entry, detail: without(String(entry.detail)) })),
  }))
  return isDeepStrictEqual(one, other)

  function plainOf({ headers, body }: Answer): Pick<Answer, 'headers' | 'body'> {
    return {
      // An error of the body closes the connection here, and on Fastify 5, but not on Fastify 4.21: no kind on its own.
      headers: headers.filter(
        ([name]) => !/^(?:connection|content-length|date|keep-alive)$/i.test(name),
      ),
      body: without(body),
    }
  }
}

/** Returns whether both handled the request in the same way until the answer was written, and the answers satisfy `are`. */
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

/** The handler's view without the body, which may be coerced; an error handler sees the serializer's message. */
function firstOf({ journal }: Outcome): unknown {
  return journal[0] && withoutBody(journal[0])
}

/** The error message in an answer, by default or by the error handler of random applications. */
function messageOf({ body }: Answer): string {
  const value = parsed(body)
  // Its schema may say that it is a text.
  if (value instanceof String) return value.replace(/^TypeError: /, '')
  const { message = body, a = message } = value as { message?: unknown; a?: unknown }
  return String(a).replace(/^Failed to serialize an error\..* Original error: /, '')
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}

/** A schema without `properties` shows nothing of an error, as it enumerates the members. */
function isHiddenError({ status, body }: Answer): boolean {
  return status >= 400 && body === '{}'
}

/** The answer as an outcome of the serializer alone. */
function serialized(answer: Answer): { readonly result: string } | { readonly thrown: string } {
  const body = Buffer.from(answer.body, 'latin1').toString()
  if (answer.status === 500) return { thrown: `TypeError: ${messageOf({ ...answer, body })}` }
  return resultOf(answer)
}

function resultOf(answer: Answer) {
  const text = Buffer.from(answer.body, 'latin1').toString()
  // On the wire a lone surrogate is the replacement character, unless it is escaped.
  return { result: text.replace(/\\ud[89a-f][\da-f]{2}/gi, '\uFFFD') }
}
