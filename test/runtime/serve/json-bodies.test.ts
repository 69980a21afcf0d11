import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import framework from 'framework'
import { runs } from '../../support/runs.ts'

type Action = 'error' | 'remove' | 'ignore'
type Done = (error: (Error & { statusCode?: number }) | null, body?: unknown) => void
type JsonParser = (request: unknown, body: unknown, done: Done) => void

const actions = fc.constantFrom('error', 'remove', 'ignore', 'odd', '') as fc.Arbitrary<Action>

/** A key that may poison a prototype, some of its letters escaped, as written in JSON. */
const poisoned = fc
  .tuple(fc.constantFrom('__proto__', 'constructor', 'prototype', 'construct'), fc.nat())
  .map(([name, mask]) =>
    [...name]
      .map((letter, i) => ((mask >> i) & 1 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter))
      .join(''),
  )
const plainKey = fc.constantFrom('a', 'b', 'é', '', ' ')
const space = fc.constantFrom('', ' ', '\n\t')

const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  object: fc
    .array(fc.tuple(fc.oneof(plainKey, plainKey, poisoned), space, tie('value')), { maxLength: 3 })
    .map((members) => `{${members.map(([key, gap, one]) => `"${key}"${gap}:${one}`).join()}}`),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', 'null', '"x"', '"__proto__"', '"constructor"', '"\\\\"', '"__proto__:"'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }).map((list) => `[${list.join()}]`),
  ),
}))

/** Sometimes with a byte order mark, or cut off. */
const texts = fc
  .tuple(fc.constantFrom('', '', '', '\ufeff'), space, value, fc.constantFrom(0, 0, 0, 1, 2))
  .map(([mark, gap, text, cut]) => mark + gap + text.slice(0, text.length - cut))

test('JSON bodies are parsed, cleaned and refused as by Fastify', () => {
  const ours = framework().getDefaultJsonParser as (...args: Action[]) => JsonParser
  const theirs = fastify().getDefaultJsonParser as (...args: Action[]) => JsonParser
  fc.assert(
    fc.property(texts, actions, actions, fc.boolean(), (text, proto, constructor, isBuffer) => {
      const body = isBuffer ? Buffer.from(text) : text
      const expected = parse(theirs(proto, constructor), body)
      // secure-json-parse 2 fails for a `constructor` that is `null`.
      fc.pre((expected as { name?: string }).name !== 'TypeError')
      assert.deepEqual(parse(ours(proto, constructor), body), expected)
    }),
    runs(3000),
  )
})

test('a JSON body with more values than a call may have arguments', () => {
  const parser = framework().getDefaultJsonParser('error', 'error') as JsonParser
  const body = `["constructor"${',0'.repeat(200_000)}]`
  parser({}, body, (error, parsed) => {
    assert.equal(error, null)
    assert.equal((parsed as unknown[]).length, 200_001)
  })
})

/** The arguments of the parser's callback in a comparable form: a poisoned key must show as a key. */
function parse(parser: JsonParser, body: unknown): unknown {
  let outcome: unknown
  parser({}, body, (error, parsed) => {
    outcome = error
      ? {
          name: error.name,
          message: error.message,
          statusCode: error.statusCode,
          // Errors about bodies are logged without the stack of the parser.
          stack: error instanceof SyntaxError && error.stack,
        }
      : { json: JSON.stringify(parsed), keys: keysOf(parsed) }
  })
  return outcome
}

function keysOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.getOwnPropertyNames(value).map((key) => [
    key,
    keysOf(Object.getOwnPropertyDescriptor(value, key)?.value),
  ])
}
