/** Validators to compile in both ways: those of `fixtures/emit`, the JSON Schema Test Suite, and random ones. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { CompileUnit, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { readSuite } from '../../support/json-schema-suite.ts'
import { externalsCase, schemaCase } from '../../support/random-schemas.ts'
import { suiteContexts } from '../../support/suite-contexts.ts'
import { profiles, type Profile } from '../profiles.ts'
import { seedOf } from '../run.ts'
import { inputsOf } from '../values.ts'

/** Schemas that share options and shared schemas, and with them an Ajv on each side. */
export interface Source {
  readonly name: string
  readonly externals: CompileUnit['externals']
  readonly options: ValidatorOptions
  readonly schemas: readonly Given[]
}

export interface Given {
  readonly name: string
  readonly schema: unknown
  readonly inputs: readonly unknown[]
}

type Config = Pick<CompileUnit, 'kind' | 'schema'> & Partial<CompileUnit>

const fixtures = join(import.meta.dirname, '../../../../fixtures/emit')

/** The validators among the committed examples, with random values. */
export async function fixtureSources(): Promise<Source[]> {
  const sources: Source[] = []
  for (const name of readdirSync(fixtures).sort()) {
    const file = pathToFileURL(join(fixtures, name, '_config.js')).href
    const { default: given } = (await import(file)) as { readonly default: Config }
    const { kind, externals = {}, options = { customOptions: {}, plugins: [] } } = given
    if (kind !== 'validator') continue
    const schema = given.schema as Record<string, unknown>
    const inputs = [1, 2, 3, 4].flatMap((valueSeed) =>
      inputsOf({ kind, schema, externals, valueSeed }),
    )
    sources.push({
      name,
      externals,
      options: options as ValidatorOptions,
      schemas: [{ name, schema, inputs }],
    })
  }
  return sources
}

/**
 * Each draft, strict and not, with the values of its tests.
 *
 * @param share of how many schemas one is taken
 */
export function suiteSources(share = 1): Source[] {
  return suiteContexts().map(({ draft, customOptions, context }) => ({
    name: `${draft} ${JSON.stringify(customOptions)}`,
    externals: context.externals,
    options: context.options as ValidatorOptions,
    schemas: [...readSuite(draft)]
      .flatMap(([file, groups]) => groups.map((group) => ({ file, ...group })))
      .filter((_, index) => index % share === 0)
      .map(({ file, description, schema, tests }) => ({
        name: `${draft} ${file} ${description}`,
        schema,
        inputs: tests.map(({ data }) => data),
      })),
  }))
}

/** How many random schemas share a context. */
const SCHEMAS = 100

/** At least so many, over all option sets that standalone can express; the same for the same seed. */
export function* randomSources(count: number, seed: number): Iterable<Source> {
  const validators = profiles.filter(({ kind, features }) => {
    return kind === 'validator' && !features.includes('user-functions')
  })
  const size = Math.min(SCHEMAS, Math.ceil(count / validators.length))
  for (let i = 0; i * size < count; i++) {
    yield randomSource(validators[i % validators.length] as Profile, size, seedOf(seed, i))
  }
}

function randomSource(profile: Profile, size: number, seed: number): Source {
  const { kind, features } = profile
  const shared = externalsCase(features).map(asJson)
  const [externals = {}] = fc.sample(shared, { seed, numRuns: 1 })
  const schemas = fc.tuple(schemaCase(features).map(asJson), fc.nat())
  const cases = fc.sample(schemas, { seed, numRuns: size })
  return {
    name: profile.name,
    externals,
    options: profile.options as ValidatorOptions,
    schemas: cases.map(([schema, valueSeed]) => ({
      name: `${profile.name}: ${JSON.stringify(schema)}`,
      schema,
      inputs: inputsOf({ kind, schema, externals, valueSeed }),
    })),
  }
}

/** A copy of what survives as the literal that standalone makes of JSON: no `-0`, and no `__proto__`. */
function asJson<T>(schema: T): T {
  const text = JSON.stringify(schema).replaceAll('"__proto__":', '"proto":')
  return JSON.parse(text) as T
}
