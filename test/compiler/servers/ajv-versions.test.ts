/**
 * Lock files hold older releases of Ajv 8 than the one that validators are made with here: Fastify 4.29 takes all from 8.11,
 * Fastify 5 from 8.12. Their code is the same, but for what `$data` makes of data: so validators are bound to no release.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import test from 'node:test'
import type { Ajv, Options } from 'ajv'
import fc from 'fast-check'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { installOnce } from '../../conformance/install.ts'
import { cacheDir } from '../../conformance/suite.ts'
import { profiles } from '../../fuzz/profiles.ts'
import { externalsCase, schemaCase } from '../../support/random-schemas.ts'
import { runs } from '../../support/runs.ts'

interface Release {
  readonly create: (options: Options) => Ajv
  readonly standalone: (ajv: Ajv, validate: unknown) => string
}

const { default: uriResolver } = await import('fast-uri')
const ours = releaseOf(import.meta.filename)
const older = ['8.11.0', '8.12.0', '8.17.1'].map((version) => {
  const folder = join(cacheDir, `ajv-${version}`)
  installOnce(folder, { dependencies: { ajv: version, 'ajv-formats': '2.1.1' } }, () => {})
  return [version, releaseOf(join(folder, 'package.json'))] as const
})

/** The Ajv of a file, created as Fastify does it. */
function releaseOf(file: string): Release {
  const load = createRequire(file)
  const { default: Class } = load('ajv') as { default: new (options: Options) => Ajv }
  const addFormats = load('ajv-formats') as (ajv: Ajv) => void
  const { default: standalone } = load('ajv/dist/standalone') as { default: Release['standalone'] }
  const common = { coerceTypes: 'array', useDefaults: true, removeAdditional: true } as const
  return {
    standalone,
    create(options) {
      const code = { ...options.code, source: true }
      const ajv = new Class({ ...common, uriResolver, ...options, logger: false, code } as Options)
      addFormats(ajv)
      return ajv
    },
  }
}

/** The code of a validator, or the reason why it has none. */
function codeOf(release: Release, schema: object, externals: object, options: Options): string {
  try {
    const ajv = release.create(options)
    for (const shared of Object.values(externals)) ajv.addSchema(cloneSchema(shared as object))
    return release.standalone(ajv, ajv.compile(cloneSchema(schema)))
  } catch (error) {
    return (error as Error).message
  }
}

const chosen = ['default', 'allErrors', '$data', 'discriminator', "removeAdditional: 'failing'"]

for (const [version, release] of older) {
  test(`Ajv ${version} writes the code of the newest`, () => {
    const { numRuns, seed } = runs(10)
    for (const { name, options, features } of profiles.filter((one) => chosen.includes(one.name))) {
      const { customOptions } = options as ValidatorOptions
      const [externals = {}] = fc.sample(externalsCase(features), { seed, numRuns: 1 })
      for (const schema of fc.sample(schemaCase(features), { seed, numRuns })) {
        const [theirs, newest] = [release, ours].map((one) =>
          codeOf(one, schema, externals, customOptions as Options),
        )
        assert.equal(theirs, newest, `${name}: ${JSON.stringify(schema)}`)
      }
    }
  })
}

test('older releases treat the results of `$data` in another way', () => {
  const [, release] = older.at(-1)!
  const of = (keyword: string): object => ({
    type: 'object',
    properties: { a: { type: 'string', [keyword]: { $data: '1/b' } }, b: { type: 'string' } },
  })
  const outcomes = (keyword: string, b: string): unknown[] =>
    [release, ours].map((one) => {
      const validate = one.create({ $data: true }).compile(of(keyword))
      try {
        return validate({ a: 'a', b })
      } catch {
        return 'throws'
      }
    })
  assert.deepEqual(outcomes('pattern', 'a'), [true, true])
  assert.deepEqual(outcomes('pattern', '['), ['throws', false])
  assert.deepEqual(outcomes('format', 'date'), [false, false])
  assert.deepEqual(outcomes('format', 'toString'), [true, false])
})
