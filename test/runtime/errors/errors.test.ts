import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { fastify } from 'fastify'
import {
  artifactErrorCodes,
  bootErrorCodes,
  errorCodes,
  toPublicBootError,
  type ErrorCode,
  type FastifyErrorConstructor,
} from '../../../runtime/errors/index.ts'
import { emitWarning, type WarningCode } from '../../../runtime/errors/warnings.ts'
import { reasonPhrases } from '../../../runtime/errors/reason-phrases.ts'
import { warningsOf } from '../../support/warnings.ts'

const oracle = fastify.errorCodes as unknown as Record<string, FastifyErrorConstructor>
const codes = Object.keys(errorCodes) as ErrorCode[]

/** Everything that a caller can see of an error, except where it was created. */
function seen(error: Error): unknown {
  return {
    own: Object.getOwnPropertyNames(error),
    enumerable: { ...error },
    text: String(error),
    tag: Object.prototype.toString.call(error),
    cause: error.cause,
    bases: [TypeError, RangeError, URIError, Error].filter((base) => error instanceof base),
    firstLine: error.stack?.split('\n')[0],
  }
}

test('the catalogue has exactly the codes of the oracle, in its order', () => {
  assert.deepEqual(codes, Object.keys(oracle))
})

for (const code of codes) {
  test(`${code} is the same error as the oracle's`, () => {
    for (const args of [
      [],
      ['%s', 2],
      ['a', { cause: new Error('why') }],
      [{ a: 1 }, null, 'x', 'y'],
    ]) {
      assert.deepEqual(seen(new errorCodes[code](...args)), seen(new oracle[code]!(...args)))
    }
  })
}

test('messages are formatted as the oracle does, whatever the arguments', () => {
  const code = 'FST_ERR_PLUGIN_VERSION_MISMATCH'
  fc.assert(
    fc.property(fc.array(fc.anything(), { maxLength: 5 }), (args) => {
      assert.equal(new errorCodes[code](...args).message, new oracle[code]!(...args).message)
    }),
  )
})

test('an error can be created without `new`, and is an instance of its own class only', () => {
  const error = errorCodes.FST_ERR_BAD_URL('/%')
  const { FST_ERR_BAD_URL, FST_ERR_ASYNC_CONSTRAINT } = errorCodes
  const isOf = [URIError, FST_ERR_BAD_URL, FST_ERR_ASYNC_CONSTRAINT].map((c) => error instanceof c)
  assert.deepEqual(isOf, [true, true, false])
  assert.equal(error.constructor, errorCodes.FST_ERR_BAD_URL)
  assert.match(error.stack ?? '', /errors\.test/)
})

test('an error is created without a stack where stacks are turned off', () => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const { stack } = new errorCodes.FST_ERR_NOT_FOUND()
  Error.stackTraceLimit = limit
  assert.equal(stack, undefined)
})

test("errors about the artifact aren't in the catalogue, and have status 500", () => {
  for (const code of Object.keys(artifactErrorCodes) as (keyof typeof artifactErrorCodes)[]) {
    assert.ok(!(code in errorCodes))
    const error = new artifactErrorCodes[code]('a', 'b', 'c', 'd', 'e')
    assert.equal(error.code, code)
    assert.equal(error.statusCode, 500)
    assert.doesNotMatch(error.message, /%s/)
  }
})

test('an error of the boot queue becomes the cause of a public one, any other stays itself', () => {
  const timeout = new bootErrorCodes.AVV_ERR_READY_TIMEOUT('slow')
  const error = toPublicBootError(timeout) as Error & { code: string }
  assert.equal(error.code, 'FST_ERR_PLUGIN_TIMEOUT')
  assert.equal(error.message, `fastify-plugin: ${timeout.message}`)
  assert.equal(error.cause, timeout)
  const other = Object.assign(new Error('x'), { code: 'EADDRINUSE' })
  for (const value of [other, 'text', null, undefined])
    assert.equal(toPublicBootError(value), value)
})

interface Warnings {
  readonly emitted: Map<string, boolean>
  emit(code: string, ...args: unknown[]): void
}

const oracleWarnings = createRequire(import.meta.url)('fastify/lib/warnings') as Warnings

const calls: unknown[][] = [[], ['body', 'POST', '/x'], [Symbol('s')]]

for (const code of oracleWarnings.emitted.keys()) {
  test(`${code} is the same warning as the oracle's, as often`, async () => {
    const expected = await warningsOf(() =>
      calls.forEach((args) => oracleWarnings.emit(code, ...args)),
    )
    const actual = await warningsOf(() =>
      calls.forEach((args) => emitWarning(code as WarningCode, ...args)),
    )
    assert.equal(actual.length, calls.length)
    assert.deepEqual(actual, expected)
  })
}

test('statuses have the texts that Node has for them', () => {
  assert.deepEqual(reasonPhrases, STATUS_CODES)
})
