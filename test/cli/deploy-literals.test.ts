/** Random literals, in all spellings, have the same values in a deployment as in the source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'

/** Source text of strings, numbers, booleans and null, and of constant expressions of them. */
const leaf: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.string().map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`),
  fc.string().map((text) => `\`${text.replace(/[\\`$]/g, '\\$&')}\``),
  fc
    .tuple(fc.string(), fc.string())
    .map((texts) => texts.map((one) => JSON.stringify(one)).join(' + ')),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => (Object.is(number, -0) ? '-0' : String(number))),
  fc.nat().map((number) => `0x${number.toString(16)}`),
  fc.constantFrom(
    'true',
    'false',
    'null',
    '-(1)',
    '1_000',
    '.5',
    '40 + 2',
    "'name' + 7",
    "'\\ud800'",
    "'\\u2028'",
  ),
)

/** Expressions that aren't JSON, or differ from one evaluation to the next. */
const odd: fc.Arbitrary<string> = fc.constantFrom(
  'undefined',
  '-0',
  '- 0.0',
  '[, 1]',
  '/a/g',
  'NaN',
  '1e400',
  'Object(1)',
  'word',
  '({ word })',
  // Without spaces: deployments have their whitespace removed, and describe.js compares the text of functions.
  '({ word(){} })',
  '({ __proto__: null })',
  "({ '__proto__': { a: 1 } })",
  "({ ['__proto__']: 1 })",
  '({ ...words })',
  '[...list]',
  '({ [word]: 1 })',
  '({ get a() { return 1 } })',
  'list',
  'words',
  '0 - 0',
)

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'type',
    '"a"',
    "'constructor'",
    'valueOf',
    'toJSON',
    '0',
    '10',
    '1.50',
    '0x1f',
    '"02"',
    '"\\u0061"',
  ),
  fc.string().map((text) => JSON.stringify(text === '__proto__' ? 'proto' : text)),
)

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: odd },
    {
      weight: 3,
      arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(', ')}]`),
    },
    {
      weight: 6,
      arbitrary: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        .map((all) => `({ ${all.map((one) => one.join(': ')).join(', // " }\n')} })`),
    },
  ),
}))

/** Makes a schema long enough for `deploy` to replace it. The random values are in `examples` and `x-any`, so the schema is valid whatever they are. */
const long = 'x'.repeat(400)

test('random literals have the same values in a deployment as in the source', (t) => {
  const { numRuns, seed } = runs(60)
  const values = fc.sample(value, { numRuns, seed })
  const schemas = values.map((examples, i) => {
    const schema = (more = ''): string =>
      `{ ${more}type: 'object', examples: [${examples}], description: '${long}' }`
    // fixtures/deploy/literals/app.js uses an export according to its name: the schemas of a route, of one part, made by a function, or shared.
    return [
      `export const route${i} = { 'x-any': ${examples}, body: ${schema()} }`,
      `export const part${i} = ${schema()}`,
      `export function made${i}() { return { body: ${schema()} } }`,
      `export const shared${i} = ${schema(`$id: 'shared${i}', `)}`,
    ].join('\n')
  })
  const shop = createWorkshop(t, 'deploy/literals', {
    'schemas.js': `const word = 'word'\nconst words = { word }\nconst list = [word]\n${schemas.join('\n')}\n`,
    'source.js': `import { inspect } from 'node:util'
import * as schemas from './schemas.js'
import { describeAll } from './describe.js'
console.log(describeAll(schemas, inspect))`,
  })
  const source = shop.node('source.js')
  assert.equal(source.status, 0, source.stderr)
  shop.succeed('deploy', 'app.js', '--target', 'node', '--allow-dynamic', '--out', 'deployed')
  const replaced = shop.read('deployed/index.js').match(/\b(?:json|schema)\(/g)?.length ?? 0
  assert.ok(replaced > 2 * numRuns, `only ${replaced} literals were replaced`)
  const deployed = shop.node('deployed/index.js')
  assert.equal(deployed.status, 0, deployed.stderr)
  const expected = JSON.parse(source.stdout) as unknown[]
  for (const [i, one] of (JSON.parse(deployed.stdout) as unknown[]).entries()) {
    assert.deepEqual(one, expected[i])
  }
})
