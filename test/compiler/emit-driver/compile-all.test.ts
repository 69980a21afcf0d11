import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { compile as compileApplication } from '../../../compiler/index.ts'
import { compileAll, threadsFor } from '../../../compiler/emit-driver/compile-all.ts'
import { createUnitCompiler } from '../../../compiler/emit-driver/compile-unit.ts'
import { profileOf } from '../../../compiler/servers/index.ts'
import type { CompileUnit } from '../../../compiler/model/index.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { object } from '../../support/request-schemas.ts'

const externals = {
  address: object({ zip: { type: 'string', pattern: '^[0-9]{5}$' } }, { $id: 'address' }),
  tree: object({ children: { type: 'array', items: { $ref: 'tree#' } } }, { $id: 'tree' }),
}
const isEven = { type: 'number', validate: (value: number): boolean => value % 2 === 0 }
const plain = { customOptions: { allErrors: true }, plugins: [] }
const withFunction = { customOptions: { formats: { even: isEven } }, plugins: [] }

const validators = createUnitFactory('validator', externals, plain)
const extended = createUnitFactory('validator', externals, withFunction)
const serializers = createUnitFactory('serializer', externals, {})

/** Schemas whose code must not depend on the one before; some can't be compiled. */
function unitsOf(count: number): CompileUnit[] {
  const schemas = Array.from({ length: count }, (_, i) => ({
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: i },
      home: { $ref: 'address#' },
      ...(i % 3 === 0 && {
        root: { $ref: 'tree#' },
        kind: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      }),
      ...(i % 7 === 0 && { zero: { const: -0 }, made: { pattern: '(' } }),
      ...(i % 11 === 0 && { lost: { $ref: `nowhere${i}#` } }),
      ...(i % 13 === 0 && { day: { const: new Date(i) } }),
      ...(i % 17 === 0 && { bare: { enum: [Object.assign(Object.create(null), { i })] } }),
    },
  }))
  return schemas.flatMap((schema, i) => [
    validators.unit(schema),
    serializers.unit(schema),
    ...(i % 5 === 0 ? [extended.unit({ type: 'number', format: 'even', minimum: i })] : []),
  ])
}

test('units become the same here and in threads, and fail with the same messages', async () => {
  const units = unitsOf(60)
  const line = profileOf('framework')
  const origins = new Map([
    [isEven, { specifier: './even.js', importer: '/app.js', name: 'default' }],
  ])
  const compile = (threads: number): ReturnType<typeof compileAll> =>
    compileAll(
      units,
      createUnitCompiler(createEmitter({ profile: line, origins: origins as never })),
      line,
      threads,
    )
  const here = await compile(0)
  assert.ok(here.some((one) => 'failure' in one) && here.some((one) => 'packed' in one))
  assert.equal(here.length, units.length)
  assert.deepEqual(await compile(1), here)
  assert.deepEqual(await compile(3), here)
})

test('most of the work can be done in threads', async () => {
  let own = 0
  const compile = createUnitCompiler(createEmitter())
  const units = unitsOf(60)
  await compileAll(
    units,
    (unit) => {
      own++
      for (const end = performance.now() + 100; performance.now() < end;);
      return compile(unit)
    },
    profileOf('framework'),
    2,
  )
  assert.ok(own < units.length, `${own} of ${units.length}`)
})

test('errors of the compiler itself are thrown, here and in threads', async () => {
  const line = profileOf('framework')
  const fails = (): never => {
    throw new TypeError('of the compiler')
  }
  await assert.rejects(compileAll(unitsOf(30), fails, line, 0), /of the compiler/)
  const noLine = { ...line, serializers: undefined as never }
  const failure = (): { failure: string } => ({ failure: '' })
  await assert.rejects(compileAll(unitsOf(30), failure, noLine, 1), TypeError)
})

test('small builds start no thread', () => {
  assert.equal(threadsFor(0), 0)
  assert.equal(threadsFor(79), 0)
})

test('a schema that cannot be compiled is the same problem in a large application and in a small one', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'package.json'), '{}')
  const problemsOf = async (good: number): Promise<unknown> => {
    const route = (i: number, format: string): string =>
      `app.post('/r${i}', { schema: { body: { type: 'string', maxLength: ${i}, format: '${format}' } } }, () => 1)`
    const routes = Array.from({ length: good }, (_, i) => route(i, 'date'))
    const entry = join(folder, `app${good}.mjs`)
    const bad = `/* the one */ ${route(999, 'unheard-of')}`
    const head = `import framework from 'framework'; export const app = framework()`
    writeFileSync(entry, [head, bad, ...routes].join('\n'))
    const { diagnostics, artifact } = await compileApplication({ entry })
    assert.equal(artifact, undefined)
    return diagnostics.map(({ at, ...rest }) => ({ ...rest, at: { ...at, file: '' } }))
  }
  const few = await problemsOf(1)
  assert.match(JSON.stringify(few), /unheard-of/)
  assert.ok(availableParallelism() === 1 || threadsFor(201) > 0)
  assert.deepEqual(await problemsOf(200), few)
})
