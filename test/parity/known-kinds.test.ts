/** Allowed kinds of differences don't excuse others. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { codeKinds, kindOf, noSerializer, serializerDefect, type Seen } from './known-kinds.ts'
import type { Outcome } from './transcript.ts'

type Part = Seen['parts'][number]

function seen(parts: readonly Part[], expected: Noted, actual: Noted, status = 200): Seen {
  return {
    parts,
    externals: {},
    request: { title: '1', method: 'GET', target: '/' },
    status,
    expected: outcome(expected),
    actual: outcome(actual),
    lines: [],
  }
}

interface Noted {
  readonly status: number
  readonly body: unknown
  readonly error?: string
}

function outcome({ status, body, error }: Noted): Outcome {
  const text = JSON.stringify(body)
  const headers = [['content-length', String(text.length)]] as const
  const noted = { request: 'parity-1', part: '/' }
  const journal = [
    { ...noted, event: 'handler', detail: '{}' },
    ...(error === undefined ? [] : [{ ...noted, event: 'error', detail: error }]),
  ]
  return { answer: { status, statusMessage: '', headers, body: text }, journal }
}

function isKnown(one: Seen): boolean {
  return kindOf(one) !== undefined
}

test('the name of a variable', () => {
  const noted = (name: string, more: object = {}): Noted => {
    const message = `${name}.toString is not a function`
    return { status: 500, body: { message, ...more }, error: `{ message: '${message}' }` }
  }
  assert.ok(isKnown(seen([], noted('value'), noted('e'))))
  const within = (name: string): Noted => {
    const message = `The value "TypeError: ${name}.toString is not a function" cannot be converted`
    return { status: 500, body: { message } }
  }
  assert.ok(isKnown(seen([], within('value'), within('e'))))
  assert.ok(!isKnown(seen([], noted('value', { b: 1 }), noted('e', { b: 2 }))))
  assert.ok(!isKnown(seen([], noted('value'), { ...noted('e'), status: 400 })))
  assert.ok(!isKnown(seen([], noted('value'), { ...noted('e'), error: '{}' })))
  const same = { status: 200, body: { message: 'a', b: 1 } }
  assert.ok(!isKnown(seen([], same, { ...same, body: { message: 'a', b: 2 } })))
})

test('the text of a function', () => {
  const parts: Part[] = [
    { part: 'response', schema: { properties: { toString: { type: 'string' } } } },
  ]
  const noted = (text: string, a: number): Noted => ({ status: 500, body: { toString: text, a } })
  assert.ok(isKnown(seen(parts, noted('function () { 1 }', 1), noted('function (a) { "2" }', 1))))
  assert.ok(!isKnown(seen([], noted('function () { 1 }', 1), noted('function (a) { "2" }', 1))))
  assert.ok(!isKnown(seen(parts, noted('function () { 1 }', 1), noted('function () { 1 }', 2))))
})

test('the number in a name', () => {
  const noted = (n: number, path: string): Noted => {
    const error = `The value of '__fjs_merged_${n}#/${path}' does not match schema definition.`
    return { status: 500, body: { message: error }, error }
  }
  assert.ok(isKnown(seen([], noted(20, 'a'), noted(0, 'a'))))
  assert.ok(!isKnown(seen([], noted(20, 'a'), noted(0, 'b'))))
})

test('a name that breaks the code of version 5', () => {
  const parts: Part[] = [{ part: 'response', schema: { properties: { 'a*/b': {} } } }]
  const failed: Noted = { status: 500, body: { message: 'b is not defined' } }
  const { showsIn } = serializerDefect
  assert.ok(showsIn(seen(parts, failed, { status: 404, body: { a: 1 } }, 404)))
  assert.ok(!showsIn(seen(parts, failed, { status: 404, body: { a: 1 } }, 200)))
  assert.ok(!showsIn(seen([], failed, { status: 404, body: { a: 1 } }, 404)))
  const mismatch: Noted = { status: 500, body: { message: "The value of '#' does not match" } }
  assert.ok(showsIn(seen(parts, failed, mismatch)))
  assert.ok(!showsIn(seen([], failed, mismatch)))
  assert.ok(!showsIn(seen(parts, { status: 500, body: { message: 'other' } }, mismatch)))
})

test('a value without JSON', () => {
  const after = (expected: string, actual: string, status = 200): Seen => {
    const { answer, journal } = outcome({ status: 200, body: '' })
    const one: Outcome = { answer: { ...answer, body: expected } as typeof answer, journal }
    const other: Outcome = { answer: { ...answer, status, body: actual } as typeof answer, journal }
    return {
      ...seen([], { status: 200, body: '' }, { status, body: '' }),
      expected: one,
      actual: other,
    }
  }
  const isOfCode = (one: Seen): boolean => codeKinds.some(({ showsIn }) => showsIn(one))
  assert.ok(isOfCode(after('[{},undefined,1]', '[{},null,1]')))
  assert.ok(isOfCode(after('{"a":1,"b":undefined}', '{"a":1}')))
  assert.ok(isOfCode(after('undefined', 'null')))
  assert.ok(!isOfCode(after('[{},undefined,1]', '[{},null,2]')))
  assert.ok(!isOfCode(after('[{},undefined,1]', '[{},null,1]', 500)))
  assert.ok(!isOfCode(after('[{},null,1]', '[{},1]')))
  assert.ok(!isOfCode(after('undefined', '')))
})

test('content that a 204 leaves out', () => {
  const left = ['- header  content-type: text/plain', '- header  content-length: 2', '- body    {}']
  const after = (status: number, ...lines: readonly string[]): Seen => ({
    ...seen([], { status: 204, body: {} }, { status, body: '' }, status),
    lines,
  })
  assert.ok(isKnown(after(204, ...left)))
  assert.ok(isKnown(after(204, ...left, '+ body    ""')))
  assert.ok(!isKnown(after(200, ...left)))
  assert.ok(!isKnown(after(204, ...left, '- header  etag: 1')))
  assert.ok(!isKnown(after(204, '+ header  content-type: text/plain')))
})

test('an answer and a journal that differ in two known ways', () => {
  const parts: Part[] = [{ part: 'body', schema: { type: 'integer' } }]
  const failed = `Failed to serialize an error. ${noSerializer}`
  const noted = (outcomeOf: Outcome, detail: string): Outcome => ({
    ...outcomeOf,
    journal: outcomeOf.journal.map((entry) => ({ ...entry, detail })),
  })
  const after = (message: string, query: string): Seen => {
    const one = seen(parts, { status: 500, body: { message } }, { status: 500, body: {} })
    return {
      ...one,
      expected: noted(one.expected, "{ body: null, query: { a: 'b' } }"),
      actual: noted(one.actual, `{ body: 0, query: { a: '${query}' } }`),
      lines: ['- body    ""', '+ body    "{}"', '- journal handler', '+ journal handler'],
    }
  }
  assert.ok(isKnown(after(failed, 'b')))
  assert.ok(!isKnown(after('other', 'b')))
  assert.ok(!isKnown(after(failed, 'c')))
})
