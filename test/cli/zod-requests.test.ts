/** Compares an application with fastify-type-provider-zod on Fastify 5 with the built one, where code generation is refused. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import { createZodWorkshop } from '../support/zod-workshop.ts'
import { runsAll } from '../support/runs.ts'

interface Observed {
  readonly answers: readonly string[]
  readonly statuses: Readonly<Record<string, number>>
  /** Names of types with a compiled parser. */
  readonly parsed: readonly string[]
}

const count = runsAll ? 20_000 : 1500

test(`${count} random requests are answered alike, by compiled parsers`, (t) => {
  const run = (factory: string): string => `import { fastify } from '${factory}'
import { run } from './provided/requests.js'
await run(fastify, ${count})
`
  const shop = createZodWorkshop(t, {
    'app.js': `import { fastify } from 'framework/5'
import create from './provided/app.js'
export default create(fastify)
`,
    'theirs.js': run('fastify'),
    'ours.js': run('framework/5'),
  })
  const report = shop.succeed('build', 'app.js')
  assert.match(
    report,
    /POST {3}\/books {2}\[body \(zod, compiled\), 200 \(zod\)\][^]*2xx \(zod, compiled\)/,
  )
  assert.match(report, /\n\d+ parsers: \d+\.\d kB as files, built in/)
  const expected = JSON.parse(shop.node('theirs.js').stdout) as Observed
  const actual = shop.answer<Observed>('--import', './.framework/register.js', 'ours.js')
  assert.deepEqual(actual.answers, expected.answers)
  assert.deepEqual(expected.parsed, [])
  assert.deepEqual(actual.parsed, ['Book', 'Event', 'Loan', 'Page', 'Key', 'Small'])
  for (const status of ['200', '400', '500'])
    assert.ok((expected.statuses[status] ?? 0) > count / 40, JSON.stringify(expected.statuses))
})

const commonJs = (body: string): string => `const { fastify } = require('framework/5')
const provider = require('fastify-type-provider-zod')
const { z } = require('zod')
const app = fastify()
app.setValidatorCompiler(provider.validatorCompiler)
app.setSerializerCompiler(provider.serializerCompiler)
const body = ${body}
app.post('/', { schema: { body } }, async (request) => request.body)
module.exports = app
if (process.argv[2] === 'run') {
  app.inject({ method: 'POST', url: '/', payload: { title: 'Emma' } }).then((response) => {
    console.log(JSON.stringify({ answer: response.body, isParsed: body._zod.run.__originalRun !== undefined }))
  })
}
`

test('a type that has changed since the build parses with its own parser, also in CommonJS', (t) => {
  const shop = createZodWorkshop(t, { 'package.json': { private: true } })
  const answer = (): unknown => shop.answer('--import', './.framework/register.js', 'app.js', 'run')
  shop.writeApp(commonJs('z.object({ title: z.string() })'))
  shop.succeed('build', 'app.js')
  assert.deepEqual(answer(), { answer: '{"title":"Emma"}', isParsed: true })
  shop.writeApp(commonJs('z.object({ title: z.string().min(4).toUpperCase() })'))
  assert.deepEqual(answer(), { answer: '{"title":"EMMA"}', isParsed: false })
})

test('the parsers are in the artifact of an application on Fastify 5, for `framework/fastify` in its place', (t) => {
  const shop = createZodWorkshop(t, { 'package.json': { private: true } })
  shop.writeApp(commonJs('z.object({ title: z.string() })').replace('framework/5', 'fastify'))
  assert.match(
    shop.succeed('build', 'app.js'),
    /POST {3}\/ {2}\[body \(zod\)\][^]*Leaves 1 type of zod to parse at run time: Fastify itself does not use compiled parsers, `framework\/fastify` in its place does/,
  )
  const run = (...preloads: string[]): unknown =>
    JSON.parse(shop.node(...preloads.flatMap((one) => ['--import', one]), 'app.js', 'run').stdout)
  const answer = '{"title":"Emma"}'
  const replaced = run('framework/fastify', './.framework/register.js')
  assert.deepEqual(replaced, { answer, isParsed: true })
  assert.deepEqual(run('./.framework/fastify.mjs'), { answer, isParsed: false })
})

test('the build says why a type has no parser', (t) => {
  const shop = createZodWorkshop(t, {
    'package.json': { private: true },
    'app.js': commonJs('z.object({ title: z.string().refine(async () => true) })'),
  })
  assert.match(
    shop.succeed('build', 'app.js'),
    /POST {3}\/ {2}\[body \(zod\)\][^]*Leaves 1 type of zod to parse at run time: z\.compile: async/,
  )
  assert.match(
    shop.succeed('explain', 'POST', '/'),
    /body {2}zod\n {4}Its type parses at run time: z\.compile: async \.refine\(\) predicates are not supported\./,
  )
})

test('the build says which types may be others, and which ones responses are encoded with', (t) => {
  const shop = createZodWorkshop(t, {
    'package.json': { private: true },
    'app.js': commonJs('z.object({ title: z.string().max(Number(process.env.LIMIT ?? 9)) })'),
  })
  assert.match(
    shop.succeed('build', 'app.js'),
    /\[body \(zod\)\][^]*\(1 type of zod\)[^]*Leaves 1 type of zod to parse at run time: the running application may have another one/,
  )
  assert.match(
    shop.succeed('explain', 'POST', '/'),
    /alternative 1 of 2\n[^]*body {2}zod, compiled\n[^]*alternative 2 of 2\n[^]*body {2}your own compiler\n {4}Only the running application knows its schema\./,
  )
  const type = 'z.object({ title: z.string() })'
  const response = '{ 200: z.object({ title: z.string().toUpperCase() }) }'
  shop.writeApp(
    commonJs(type).replace('schema: { body }', `schema: { body, response: ${response} }`),
  )
  assert.match(
    shop.succeed('build', 'app.js'),
    /200 \(zod\)[^]*1 type of zod to parse at run time: responses are encoded, and its parser does not encode/,
  )
})

for (const kind of ['module', 'commonjs'])
  for (const filesFrom of [undefined, 0])
    test(`a deployment parses with compiled parsers: ${kind}${filesFrom === 0 ? ', in files' : ''}`, async (t) => {
      const imports = Object.entries({
        '{ fastify }': 'framework/5',
        '{ serializerCompiler, validatorCompiler }': 'fastify-type-provider-zod',
        '{ z }': 'zod',
      }).map(([names, name]) =>
        kind === 'module'
          ? `import ${names} from '${name}'`
          : `const ${names} = require('${name}')`,
      )
      const shop = createZodWorkshop(t, { 'package.json': { private: true, type: kind } })
      shop.writeApp(`${imports.join('\n')}
const app = fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
const Book = z.object({ title: z.string(), at: z.iso.date().optional() })
const results = []
app.post('/', { schema: { body: Book, response: { 200: Book } } }, async ({ body }) => body)
const send = async (payload) => (await app.inject({ method: 'POST', url: '/', payload })).body
Promise.all([send({ title: 'Emma', more: 1 }), send({})]).then((answers) => {
  console.log(JSON.stringify({ answers, isParsed: Book._zod.run.__originalRun !== undefined }))
})
`)
      const { answers } = JSON.parse(shop.node('app.js').stdout) as { answers: string[] }
      assert.deepEqual(answers[0], '{"title":"Emma"}')
      const out = join(shop.folder, 'out')
      const entry = join(shop.folder, 'app.js')
      const { deployment, diagnostics } = await deploy({ entry, target: 'node', out, filesFrom })
      assert.ok(deployment, JSON.stringify(diagnostics))
      rmSync(join(shop.folder, 'node_modules'), { recursive: true })
      const { status, stdout, stderr } = shop.node('--disallow-code-generation-from-strings', 'out')
      assert.equal(status, 0, stderr)
      assert.deepEqual(JSON.parse(stdout), { answers, isParsed: true })
    })
