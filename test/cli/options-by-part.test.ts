/** Compares `ajv.parts` with a Fastify application that has an Ajv for each part. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv, type Options } from 'ajv'
import fastify from 'fastify'
import { createWorkshop } from '../support/workshop.ts'

const schema = {
  body: {
    type: 'object',
    properties: { n: { type: 'integer' }, d: { type: 'string', default: 'x' } },
  },
  querystring: {
    type: 'object',
    properties: { n: { type: 'integer' } },
    additionalProperties: false,
  },
  headers: { type: 'object', required: ['x-n'], properties: { 'x-n': { type: 'integer' } } },
}

const customOptions = { coerceTypes: 'array', useDefaults: true, removeAdditional: true } as const
const parts: Readonly<Record<string, Options>> = {
  body: { coerceTypes: false, allErrors: true },
  querystring: { removeAdditional: false },
}

const requests = [
  { url: '/a?n=5', payload: { n: 1 }, headers: { 'x-n': '7' } },
  { url: '/a?n=5', payload: { n: '1', d: 2 }, headers: { 'x-n': '7' } },
  { url: '/a?n=5&m=6', payload: { n: 1 }, headers: { 'x-n': '7' } },
  { url: '/a?n=x', payload: {}, headers: { 'x-n': '7' } },
  { url: '/a', payload: {}, headers: { 'x-n': 'x' } },
].map((request) => ({ method: 'POST' as const, ...request }))

test('each part of a request has its own compiler options', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.writeApp(`import framework from 'framework'
const app = framework({ ajv: { customOptions: ${JSON.stringify(customOptions)}, parts: ${JSON.stringify(parts)} } })
app.post('/a', { schema: ${JSON.stringify(schema)} }, async ({ body, query }) => ({ body, query }))
export default app
`)
  shop.write(
    'main.js',
    `import app from './app.js'
const answers = []
for (const request of ${JSON.stringify(requests)}) {
  const { statusCode, body } = await app.inject(request)
  answers.push({ statusCode, body })
}
console.log(JSON.stringify(answers))
`,
  )
  shop.succeed('build', 'app.js')
  const flags = ['--disallow-code-generation-from-strings', '--import', './.framework/register.js']
  const served = shop.node(...flags, 'main.js')
  assert.notEqual(served.stdout, '', served.stderr)
  assert.deepEqual(JSON.parse(served.stdout), await answersOfFastify())
})

async function answersOfFastify(): Promise<unknown[]> {
  const app = fastify()
  const compilers = new Map(
    ['body', 'querystring', 'headers'].map((part) => [
      part,
      new Ajv({ ...customOptions, ...parts[part] }),
    ]),
  )
  app.setValidatorCompiler(({ schema, httpPart = '' }) => {
    return (compilers.get(httpPart) as Ajv).compile(schema as object)
  })
  app.post('/a', { schema }, async ({ body, query }) => ({ body, query }))
  const answers: unknown[] = []
  for (const request of requests) {
    const { statusCode, body } = await app.inject(request)
    answers.push({ statusCode, body })
  }
  return answers
}
