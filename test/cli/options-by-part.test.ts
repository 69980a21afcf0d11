/** Compares `ajv.parts` with a Fastify application that has an Ajv for each part. Fastify 5, and so `framework/5`, has no such option. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv, type Options } from 'ajv'
import fastify from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
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

const oracles = {
  framework: ['each part of a request has its own compiler options', withCompilerForEachPart],
  'framework/5': [
    'all parts have the same options on framework/5',
    () => fastify5({ ajv: { customOptions, parts } as object }),
  ],
} as const

for (const [module, [title, oracle]] of Object.entries(oracles)) {
  test(title, async (t) => {
    const shop = createWorkshop(t, 'cli/empty', {
      'app.js': `import framework from '${module}'
const app = framework({ ajv: { customOptions: ${JSON.stringify(customOptions)}, parts: ${JSON.stringify(parts)} } })
app.post('/a', { schema: ${JSON.stringify(schema)} }, async ({ body, query }) => ({ body, query }))
export default app
`,
      'main.js': `import app from './app.js'
const answers = []
for (const request of ${JSON.stringify(requests)}) {
  const { statusCode, body } = await app.inject(request)
  answers.push({ statusCode, body })
}
console.log(JSON.stringify(answers))
`,
    })
    shop.succeed('build', 'app.js')
    const served = shop.answer('--import', './.framework/register.js', 'main.js')
    assert.deepEqual(served, await answersOf(oracle()))
  })
}

function withCompilerForEachPart() {
  const app = fastify()
  const compilers = new Map(
    ['body', 'querystring', 'headers'].map((part) => [
      part,
      new Ajv({ ...customOptions, ...parts[part] }),
    ]),
  )
  return app.setValidatorCompiler(({ schema, httpPart = '' }) => {
    return (compilers.get(httpPart) as Ajv).compile(schema as object)
  })
}

async function answersOf(app: ReturnType<typeof withCompilerForEachPart | typeof fastify5>) {
  app.route({
    method: 'POST',
    url: '/a',
    schema,
    handler: async ({ body, query }: { body: unknown; query: unknown }) => ({ body, query }),
  })
  const answers: unknown[] = []
  for (const request of requests) {
    const { statusCode, body } = await app.inject(request)
    answers.push({ statusCode, body })
  }
  return answers
}
