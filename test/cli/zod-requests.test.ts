/** Compares an application with fastify-type-provider-zod on Fastify 5 with the built one, where code generation is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  assert.match(report, /POST {3}\/books {2}\[body \(zod, compiled\), 200 \(zod, compiled\)\]/)
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
