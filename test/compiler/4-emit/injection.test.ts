/** Tests that texts of a schema never run as code, neither in artifacts nor in the build. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { object } from '../../support/request-schemas.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { join } from 'node:path'
import test from 'node:test'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { literal, property, regExp, string, NotData } from '../../../compiler/util/literal.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import { compile, type CompiledArtifact } from '../../../compiler/index.ts'
import type { CompiledFunction, CompileUnit } from '../../../runtime/artifact/index.ts'
import * as internal from '../../../runtime/internal.ts'
import { factsOf } from '../../support/code-facts.ts'
import { attempt } from '../../support/outcome.ts'

const ajvErrors = (createRequire(import.meta.url)('ajv-errors') as { default: unknown }).default

const attack = 'globalThis.pwned=1'

/** Ends of strings, templates, comments, lines and elements, followed by an assignment. */
const hostile = [
  `";${attack};//`,
  `';${attack};//`,
  `"+(${attack})+"`,
  `'+(${attack})+'`,
  `\`;${attack};//`,
  `\${${attack}}`,
  `*/${attack}/*`,
  `*/}${attack};function f(){/*`,
  `\\";${attack};//`,
  `\\';${attack};//`,
  `\n${attack}\n`,
  `\r${attack}\r`,
  `\u2028${attack}\u2028`,
  `\u2029${attack}\u2029`,
  `</script><script>${attack}</script>`,
  `<!--${attack}`,
  `-->${attack}`,
  `]);${attack};([`,
  `__proto__`,
  `constructor`,
  `\ud800${attack}`,
  `$mark$ validate0$mark$ schema1$mark$.x`,
  `__fjs_root_0#${attack}`,
  `(validate_0 || (validate_0 = validator.getSchemaValidator("x")))`,
  `arrayLength >= 128 && Number.isInteger(arrayLength)`,
  `JSON_STR_COMMA asString(`,
]

const globals = new Set(
  'Array Date Error JSON Number Object RegExp TypeError isFinite isNaN undefined'.split(' '),
)
const emitter = createEmitter()

for (const text of hostile) {
  test(`stays text in a validator: ${JSON.stringify(text)}`, () => {
    const schemas: unknown[] = [
      object({ [text]: { type: 'integer', minimum: 2 } }, { required: [text] }),
      {
        type: 'object',
        additionalProperties: false,
        properties: { [text]: { enum: [text, { [text]: text }] } },
      },
      object({ a: { const: { [text]: [text] } }, b: { const: text } }),
      object({ a: { type: 'string', default: text, description: text, title: text } }),
      object({ a: { type: 'object', default: { [text]: text } } }),
      { type: 'object', propertyNames: { type: 'string', pattern: escapePattern(text) } },
      { type: 'object', patternProperties: { [escapePattern(text)]: { type: 'boolean' } } },
      { type: 'object', dependencies: { [text]: [text], b: { required: [text] } } },
      object({ a: { type: 'string' } }, { $id: text }),
      { type: 'object', definitions: { [text]: { $id: text, type: 'object' } }, $comment: text },
      object({ a: { type: 'string', format: text } }),
      { type: 'object', required: ['a'], errorMessage: { required: { a: text }, _: text } },
      { type: 'object', oneOf: [{ required: [text] }, { required: ['b'] }], examples: [text] },
      { $schema: text },
      { type: text },
      { $ref: text },
    ]
    const options = {
      customOptions: {
        allErrors: true,
        verbose: true,
        formats: { [text]: new RegExp(escapePattern(text)) },
      },
      plugins: [ajvErrors],
    }
    const inputs = [
      { [text]: text },
      { [text]: { [text]: text } },
      {},
      { a: text, [text]: 1 },
      text,
    ]
    check({ kind: 'validator', options }, schemas, inputs)
    const externals = {
      [text]: object({ [text]: { type: 'null' } }, { $id: text }),
    }
    // The meta-schema refuses most of them as references; without it they get further.
    const lax = { customOptions: { validateSchema: false }, plugins: [] }
    const referring = [object({ a: { $ref: `${text}#` } }), { type: 'object' }]
    // As ids of shared schemas Ajv takes no names that every object has.
    const isId = !(text in {})
    check({ kind: 'validator', options: lax, externals }, isId ? referring : [], inputs)
  })

  test(`stays text in a serializer: ${JSON.stringify(text)}`, () => {
    const schemas: unknown[] = [
      object({ [text]: { type: 'string', default: text } }, { required: ['a', text] }),
      object({ [text]: { type: 'array', items: { type: 'string' } } }),
      object({ [text]: { type: ['string', 'integer'], nullable: true } }),
      { type: 'object', patternProperties: { [escapePattern(text)]: { type: 'string' } } },
      { type: 'object', patternProperties: { [text]: { type: 'string' } } },
      { const: text },
      { const: { [text]: text } },
      {
        anyOf: [{ const: text }, object({ [text]: { enum: [text] } }, { required: [text] })],
      },
      object({ [text]: { anyOf: [{ type: 'string', pattern: escapePattern(text) }] } }),
      object({ a: { type: 'array', items: [{ type: 'integer' }] } }, { $id: text }),
      {
        type: 'object',
        definitions: { [text]: { type: 'string' } },
        properties: { a: { $ref: `#/definitions/${text}` } },
      },
      { type: 'string', format: text },
      { type: text },
    ]
    const inputs = [
      { [text]: text, a: 1 },
      { [text]: [text] },
      { [text]: { [text]: text } },
      {},
      text,
    ]
    check({ kind: 'serializer', options: {} }, schemas, inputs)
  })
}

test('literals keep every character', () => {
  const evaluateLiteral = (code: string): unknown => {
    assert.doesNotMatch(code, /[\u2028\u2029]|<\/|<!/)
    // oxlint-disable-next-line no-new-func -- reads back what was written
    return Function(`return ${code}`)()
  }
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = String.fromCharCode(unit)
    assert.equal(JSON.parse(string(text)), text)
  }
  for (const text of hostile) {
    assert.equal(evaluateLiteral(string(text)), text)
    const value = evaluateLiteral(`{${property(text)}:1}`)
    assert.deepEqual(value, JSON.parse(`{${JSON.stringify(text)}:1}`))
    assert.equal((evaluateLiteral(regExp(escapePattern(text), 'u')) as RegExp).test(text), true)
  }
  const value = {
    numbers: [0, -0, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 10n],
    others: [null, undefined, true, new Date(5), /a"\/`\u2028/giu, Object.create(null)],
    nested: JSON.parse('{"__proto__":{"a-b":{"\\ud800":[[]]}}}'),
  }
  assert.deepEqual(evaluateLiteral(literal(value)), value)
  for (const unwritable of [() => 1, Symbol('s'), new Map(), [{ a: Math.max }]]) {
    assert.throws(() => literal(unwritable), NotData)
  }
})

test('no text of an application becomes code of its artifact', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // A lone surrogate does not survive a file.
  const texts = hostile.filter((text) => !text.includes('\ud800'))
  const entry = join(folder, 'app.js')
  writeFileSync(entry, applicationOf(texts))
  const { diagnostics, artifact } = await compile({ entry, out: join(folder, 'out'), boot: false })
  assert.deepEqual(diagnostics, [])
  const { parts, entryFiles } = (artifact as CompiledArtifact).output
  assert.ok(entryFiles.get('manifest.json')?.includes('pwned'))
  for (const [file, code] of [...parts, ...entryFiles]) {
    // Declarations are types only.
    if (/\.(?:json|txt|d\.m?ts)$/.test(file)) continue
    assert.ok(file.endsWith('register.js') || !factsOf(code).names.has('globalThis'), file)
    assert.ok(!factsOf(code).names.has('pwned'), file)
  }
})

/** Writes an application with each text in every place of a schema that may contain text. */
function applicationOf(texts: readonly string[]): string {
  const lines = texts.map((text, i) => {
    const shared = { $id: `http://x.test/${encodeURIComponent(text)}`, title: text, type: 'object' }
    const properties = {
      [text]: { type: 'string', default: text, description: text, pattern: escapePattern(text) },
      e: { enum: [text, { [text]: text }] },
      c: { const: { [text]: text } },
      r: { $ref: `${shared.$id}#` },
    }
    const schema = {
      body: {
        type: 'object',
        properties,
        required: [text], // A JSON pointer stands in `${}`.
        errorMessage: { _: text.replace('${', '$') },
      },
      headers: object({ [text]: { type: 'string' } }),
      response: {
        200: {
          description: text,
          content: { [`text/${text}`]: { schema: object(properties) } },
        },
        '4xx': object({ u: { anyOf: [{ const: text }, { type: 'null' }] } }),
      },
    }
    const json = [shared, schema].map((value) =>
      JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:'),
    )
    return `app.addSchema(${json[0]}); app.post('/${i}', { schema: ${json[1]} }, async () => ({}))`
  })
  const options = '{ ajv: { customOptions: { allErrors: true }, plugins: [ajvErrors] } }'
  return `import framework from 'framework'
import { default as ajvErrors } from 'ajv-errors'
const app = framework(${options})
${lines.join('\n')}
export default app
`
}

function check(
  unit: Pick<CompileUnit, 'kind' | 'options'> & { externals?: Record<string, unknown> },
  schemas: readonly unknown[],
  inputs: readonly unknown[],
): void {
  let emittedCount = 0
  for (const schema of schemas) {
    const emitted = attempt(() => emitter.emit({ digest: '', externals: {}, ...unit, schema }))
    assert.ok(!('pwned' in globalThis), 'while emitting')
    if (emitted instanceof Error) continue
    emittedCount++
    const { names, free } = factsOf(emitted.code)
    assert.ok(!names.has('pwned') && !names.has('globalThis'))
    const unbound = free.filter((name) => !globals.has(name))
    assert.deepEqual(unbound, emitted.imports)
    assert.ok(emitted.imports.every((name) => name in internal))
    const compiled = evaluate({ ...emitted, memoryValues: [] }) as CompiledFunction
    for (const input of inputs) attempt(() => (compiled as (data: unknown) => unknown)(input))
    assert.ok(!('pwned' in globalThis), 'while running')
  }
  assert.ok(
    emittedCount >= schemas.length / 2,
    `only ${emittedCount} of ${schemas.length} compiled`,
  )
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, (unit) => (unit === '-' ? '\\x2d' : `\\${unit}`))
}
