/** Tests functions of the application: imported by an artifact, passed in development, or refused. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import { compileInProcess, evaluate } from '../../../compiler/dev/in-process.ts'
import type { CompiledValidator, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { object } from '../../support/request-schemas.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'
import { runWithoutCodegen } from '../../support/no-codegen.ts'
import { runValidator } from '../../support/outcome.ts'
import { ajvKeywords, origins, validatorUnit as unitOf } from '../../support/units.ts'
import * as functions from '../../support/user-functions.ts'

const require = createRequire(import.meta.url)
const fromSerializer = createRequire(require.resolve('fast-json-stringify'))
const otherFormats = (fromSerializer('ajv-formats') as { default: unknown }).default

const emitter = createEmitter({ origins })
const own = { keywords: functions.keywords, formats: functions.formats, strictTypes: false }

interface Case {
  readonly title: string
  readonly schema: unknown
  /** By default, with the keywords and formats of `user-functions.ts`. */
  readonly options?: Partial<ValidatorOptions>
  readonly inputs: readonly unknown[]
}

const cases: Case[] = [
  {
    title: 'formats that are functions',
    schema: object({
      a: { type: 'string', format: 'even' },
      b: { type: 'number', format: 'odd "number"' },
      c: { type: 'string', format: 'ordered', formatMinimum: 'c' },
      d: { type: 'string', format: 'email' },
    }),
    inputs: [{ a: 'xx' }, { a: 'x' }, { b: 1 }, { b: 2 }, { c: 'b' }, { c: 'd' }, { d: 'a@b.co' }],
  },
  {
    title: '$data with formats that are functions',
    schema: object({ f: { type: 'string' }, v: { type: 'string', format: { $data: '1/f' } } }),
    options: { customOptions: { ...own, $data: true } },
    inputs: [
      { f: 'even', v: 'x' },
      { f: 'even', v: 'xx' },
      { f: 'email', v: 'me' },
      { f: 'uuid', v: 'x' },
    ],
  },
  {
    title: 'keywords with validate',
    schema: object({
      n: { divisible: 3 },
      w: { withErrors: 'text' },
      'u`': { type: 'string', upper: true },
    }),
    inputs: [{ n: 6 }, { n: 7 }, { w: 'text' }, { w: 1 }, { 'u`': 'abc' }],
  },
  {
    title: 'keywords with compile and macro',
    schema: object({
      a: { between: [1, 3] },
      b: { between: [1, 3], strictly: true },
      c: { type: 'number', small: 5 },
    }),
    inputs: [{ a: 1 }, { a: 4 }, { b: 1 }, { b: 2 }, { c: 6 }, { c: -1 }],
  },
  {
    title: 'an engine of regular expressions',
    schema: object({ s: { type: 'string', pattern: '^a"\\u2028' } }),
    options: { customOptions: { code: { regExp: functions.engine } } },
    inputs: [{ s: 'a"\u2028' }, { s: 'b' }],
  },
  {
    title: 'functions of ajv-keywords',
    schema: object({
      i: { instanceof: ['Array', 'Date'] },
      u: {
        type: 'array',
        uniqueItemProperties: ['id', 'o'],
        items: { properties: { id: { type: 'integer' } } },
      },
      t: { type: 'string', transform: ['trim', 'toLowerCase'] },
      e: { type: 'string', enum: ['One'], transform: ['trim', 'toEnumCase'] },
      d: { type: 'object', dynamicDefaults: { x: { func: 'randomint', args: { max: 1 } } } },
    }),
    options: { customOptions: { strictTypes: false }, plugins: [ajvKeywords] },
    inputs: [
      { i: [] },
      { i: {} },
      { u: [{ id: 1 }, { id: 1 }] },
      { u: [{ id: 1, o: { a: 1 } }, { id: 2, o: { a: 1 } }, 3] },
      { u: [{ id: 1 }, { id: 2 }] },
      { u: [{ id: null }, { id: {} }, { id: {} }, null] },
      { t: '  ABC ' },
      { e: ' oNE ' },
      { e: 'two' },
      { d: {} },
      { d: { x: 5 } },
    ],
  },
  {
    title: 'a function that speaks of `this` without a use of it',
    schema: { type: 'string', careful: 'not' },
    inputs: ['x', 'not this'],
  },
  {
    title: 'what keywords read of Ajv by name',
    schema: {
      title: 'root "`',
      type: 'object',
      properties: {
        a: { readsContext: '#/properties/b' },
        b: { type: 'array', items: { anyOf: [{ readsContext: '#/' }, { readsContext: 'no' }] } },
        c: { readsThis: 3 },
        d: { readsThis: 4 },
      },
    },
    options: { customOptions: { ...own, allErrors: true, multipleOfPrecision: 4 } },
    inputs: [{ a: 1 }, { b: [1, 2] }, { c: 1 }, { d: 1 }],
  },
  {
    title: 'a keyword whose `compile` gives what Ajv has compiled',
    schema: object({
      a: { isCompiled: { type: 'array', items: { type: 'integer' } } },
      b: { isCompiled: { type: 'string', minLength: 2 } },
    }),
    options: { customOptions: { ...own, allErrors: true } },
    inputs: [{ a: ['1'] }, { a: ['x'], b: 'y' }, { a: 5, b: 'yy' }],
  },
  {
    title: 'functions of keywords under passContext',
    schema: object({ a: { usesThis: 1 }, b: { readsThis: 3 } }),
    options: { customOptions: { ...own, passContext: true } },
    inputs: [{ a: 1 }, { b: 1 }],
  },
  {
    title: 'comments and keywords that write to a log',
    schema: { type: 'string', $comment: 'note', logs: 'called' },
    options: { customOptions: { ...own, $comment: true, logger: functions.logger } },
    inputs: ['x', {}],
  },
  {
    title: 'functions of formats that use `this`',
    schema: object({
      a: { type: 'string', format: 'alone' },
      b: { type: 'string', format: 'member' },
      c: { type: 'string', format: 'instance' },
    }),
    options: { customOptions: { ...own, formats: functions.odd } },
    inputs: [{ a: 'x' }, { b: 'x' }, { b: 'xx' }, { c: 'a' }, { c: 'b' }],
  },
  {
    title: 'functions in the scope of a plugin',
    schema: object({
      f: { type: 'string', format: 'few' },
      l: { type: 'number', format: 'little' },
      m: { type: 'number', atMost: 2 },
      n: { type: 'number', notOver: 1 },
      t: { type: 'array', times: 1 },
    }),
    options: { plugins: [[functions.limits, { most: 3 }]] },
    inputs: [
      { f: 'abc' },
      { f: 'abcd' },
      { l: 3 },
      { l: 4 },
      { m: 6 },
      { m: 7 },
      { n: 4 },
      { t: [1, 2, 3] },
      { t: [1] },
    ],
  },
  {
    title: 'functions that `onCreate` adds',
    schema: { type: 'string', format: 'few' },
    options: { onCreate: functions.limits },
    inputs: ['ab', 'abc'],
  },
  {
    title: 'code that a function has processed',
    schema: object({ n: { type: 'integer' } }),
    options: { customOptions: { code: { process: functions.process } } },
    inputs: [{ n: 1 }, { n: 'x' }],
  },
  {
    title: 'what `onCreate` adds',
    schema: { type: 'string', format: 'added' },
    options: {
      onCreate: (ajv: { addFormat(n: string, f: unknown): void }) => ajv.addFormat('added', /^x$/),
    } as object,
    inputs: ['x', 'y'],
  },
  {
    title: "the application's own copy of ajv-formats",
    schema: object({
      t: { type: 'string', format: 'time' },
      i: { type: 'string', format: 'iso-date-time', formatMaximum: '2024-01-01T00:00:00' },
      u: { type: 'string', format: 'uri' },
      p: { type: 'string', format: 'ipv4' },
    }),
    options: { plugins: [otherFormats] },
    inputs: [
      { t: '10:00:00' },
      { t: '10:00:00Z' },
      { i: '2024-02-01T00:00:00' },
      { u: 'x' },
      { p: '01.1.1.1' },
    ],
  },
]

for (const { title, schema, options = { customOptions: own }, inputs } of cases) {
  const unit = unitOf(schema, options)
  test(`${title}: imported, and live in development`, () => {
    const oracle = compileWithOracle(unit) as CompiledValidator
    const expected = inputs.map((input) => runValidator(oracle, input))
    const live = compileInProcess(unit) as CompiledValidator
    const actual = inputs.map((input) => runValidator(live, input))
    assert.deepEqual(actual, expected)
    const emitted = emitter.emit(unit)
    assert.deepEqual(runWithoutCodegen([{ kind: 'validator', emitted, inputs }]), [expected])
  })
}

const refused: (Omit<Case, 'inputs'> & { readonly message: RegExp })[] = [
  {
    title: 'a format that no module exports',
    schema: { type: 'string', format: 'here' },
    options: { customOptions: { formats: { here: () => true } } },
    message: /^the format "here" is a function that no module exports/,
  },
  {
    title: 'a keyword that a plugin makes',
    schema: { type: 'string', local: true },
    options: {
      plugins: [
        (ajv: { addKeyword(d: object): void }) =>
          ajv.addKeyword({ keyword: 'local', validate: () => true }),
      ],
    },
    message: /^the keyword "validate" is a function that no module exports/,
  },
  {
    title: 'a keyword that needs Ajv as `this`',
    schema: { type: 'string', usesThis: true },
    message: /^the keyword "validate" does more with `this`/,
  },
  {
    title: 'a keyword that writes to Ajv',
    schema: { type: 'string', writes: true },
    message: /^the keyword "validate" does more with `this`/,
  },
  {
    title: 'a keyword that keeps what Ajv has compiled',
    schema: { type: 'string', compilesInside: { type: 'string' } },
    message: /^the keyword "compilesInside" cannot .*: an artifact has no `it.self.compile`/,
  },
  {
    title: 'a keyword that needs the context of the compilation',
    schema: { type: 'string', usesContext: true },
    message: /^`compile` of the keyword "usesContext" does more with its third parameter/,
  },
  {
    title: 'a keyword that takes what it does not name of the context',
    schema: { type: 'string', asksOfContext: 'x' },
    message: /^`compile` of the keyword "asksOfContext" does more with its third parameter/,
  },
  {
    title: 'a class that the application gave to `instanceof`',
    schema: { type: 'string', instanceof: 'Promise2' },
    options: { plugins: [ajvKeywords] },
    message: /^invalid "instanceof" keyword value Promise2/,
  },
]

test('comments are passed to a function of the application', () => {
  const schema = {
    type: 'object',
    $comment: 'one "`',
    properties: { a: { $comment: 'two', type: 'integer' } },
  }
  const unit = unitOf(schema, { customOptions: { $comment: functions.comment } })
  const comments = [compileWithOracle(unit), compileInProcess(unit)].map((validate) => {
    functions.comments.length = 0
    ;(validate as CompiledValidator)({ a: 1 })
    return [...functions.comments]
  })
  assert.equal(comments[0]?.length, 2)
  assert.deepEqual(comments[1], comments[0])
  const jobs = [{ kind: 'validator' as const, emitted: emitter.emit(unit), inputs: [{ a: 'x' }] }]
  const expected = runValidator(compileWithOracle(unit) as CompiledValidator, { a: 'x' })
  assert.deepEqual(runWithoutCodegen(jobs), [[expected]])
})

test('comments are written to the console unless there is a logger', (t) => {
  const schema = { type: 'string', $comment: 'note' }
  const emitted = emitter.emit(unitOf(schema, { customOptions: { $comment: true } }))
  const log = t.mock.method(console, 'log', () => undefined)
  assert.equal((evaluate({ ...emitted, memoryValues: [] }) as CompiledValidator)('x'), true)
  assert.deepEqual(log.mock.calls[0]?.arguments, ['note'])
  const quiet = emitter.emit(unitOf(schema, { customOptions: { $comment: true, logger: false } }))
  assert.equal((evaluate({ ...quiet, memoryValues: [] }) as CompiledValidator)('x'), true)
  assert.equal(log.mock.callCount(), 1)
})

test('a plugin that needs more of Ajv fails in an artifact', () => {
  const emitted = emitter.emit(
    unitOf({ type: 'string', curious: true }, { plugins: [functions.curious] }),
  )
  const jobs = [{ kind: 'validator' as const, emitted, inputs: ['x'] }]
  assert.throws(() => runWithoutCodegen(jobs), /compile is not a function/)
})

for (const { title, schema, options = { customOptions: own }, message } of refused) {
  test(`${title} is refused by the build`, () => {
    const isExpected = (error: unknown): boolean =>
      error instanceof EmitError && message.test(error.message)
    assert.throws(() => emitter.emit(unitOf(schema, options)), isExpected)
  })
}
