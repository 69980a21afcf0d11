/** Types that are written in routes: a deployment creates them when something reads them, and answers as Fastify 5 does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createZodWorkshop } from '../support/zod-workshop.ts'

/** Types of bodies that nothing but Zod and constants take part in. */
const late: Readonly<Record<string, string>> = {
  literals: `z.object({ a: z.string().regex(/^x/i), b: z.literal([1, -2, null]).optional(), c: z.enum(['p', 'q']).default('q') })`,
  functions: `z.object({ a: z.string().refine((a) => a !== other, { error: () => 'not ' + other }) })`,
  constants: `z.object({ a: z.string().min(LEAST), book: Book.optional() })`,
  imported: `Author.extend({ a: z.string(), name: Author.shape.name.optional() })`,
  spread: `z.object({ ...Author.shape, name: z.string().default('Jane'), a: z.string() })`,
  mini: `mini.object({ a: mini.string().check(mini.minLength(2)) })`,
  named: `object({ a: z.string() }).strict()`,
}

/** Types that depend on the time of their creation, or whose creation does something else. */
const early: Readonly<Record<string, string>> = {
  variable: `z.object({ a: z.string().min(least) })`,
  imports: `z.object({ a: z.string().max(settings.longest) })`,
  array: `z.object({ a: z.enum(names) })`,
  registered: `z.object({ a: z.string() }).meta({ id: 'A' })`,
  counted: `z.object({ a: counted(z.string()) })`,
  applied: `z.object({ a: z.string().apply((type) => counted(type)) })`,
  constant: `Book`,
}

const bodies = Object.entries({ ...late, ...early })

const application = (imports: (names: string, from: string) => string): string => `
${imports('{ fastify }', 'framework/5')}
${imports('{ serializerCompiler, validatorCompiler }', 'fastify-type-provider-zod')}
${imports('{ z }', 'zod')}
${imports('{ object }', 'zod')}
${imports('mini', 'zod/mini')}
${imports('{ Author, declare, settings }', './types.js')}
const app = fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
const LEAST = 2
const names = ['x1', 'x2']
let least = 1
let other = 'x9'
let count = 0
const counted = (type) => (count++, type)
const Book = z.object({ a: z.string(), title: z.string().default('Emma') })
const schemas = new Map()
app.addHook('onRoute', ({ method, url, schema }) => method === 'POST' && schemas.set(url.slice(1), schema))
${bodies.map(([name, body]) => `app.post('/${name}', { schema: { body: ${body}, response: { 200: z.object({ a: z.string(), page: z.string() }) }, querystring: z.object({ page: z.string().default('${name}') }) } }, answer)`).join('\n')}
declare(app, answer, { object: z.strictObject, string: z.string })
for (const n of [1, 2]) app.post('/loop' + n, { schema: { body: z.object({ a: z.string().length(n) }) } }, answer)
app.addHook('onRoute', ({ url, schema }) => {
  if (url === '/replaced') schema.body = z.object({ a: z.string().min(9) })
  if (url === '/frozen') Object.freeze(schema.response)
})
app.post('/replaced', { schema: { body: z.object({ a: z.string() }) } }, answer)
app.post('/frozen', { schema: { response: { 200: z.object({ a: z.string() }) } } }, answer)
async function answer({ body, query }) {
  return { ...body, ...query, more: 1 }
}
least = 3
settings.longest = 1
names.push('x3')
other = 'x8'
// Keys of an object that aren't parts of a route.
const unrelated = { body: z.object({}), schema: { body: z.object({}) } }

async function main() {
  await app.ready()
  const isLate = (owner, name) => Object.getOwnPropertyDescriptor(owner, name)?.get !== undefined
  const waiting = [...schemas].filter(([, schema]) => isLate(schema, 'body')).map(([name]) => name)
  const answers = []
  for (const name of schemas.keys())
    for (const a of ['x1', 'x2', 'x3', 'x', 'x8', 'x9', 'p', 1, undefined])
      for (const body of [{ a }, { a, book: { a: 'x' } }]) {
        const { statusCode, body: text } = await app.inject({ method: 'POST', url: name, payload: body })
        answers.push([name, a, statusCode, text])
      }
  const left = [...schemas].filter(([, schema]) => isLate(schema, 'body')).map(([name]) => name)
  const read = [...schemas].map(([name, schema]) => {
    const copy = { ...schema }
    const child = Object.create(schema)
    child.body = 1
    return [name, Object.keys(copy), copy.body instanceof z.core.$ZodType, schema.body === copy.body, child.body, typeof schema.body, isLate(unrelated, 'body')]
  })
  console.log(JSON.stringify({ waiting, left, seen: { answers, read, count } }))
}
main()
`

interface Observed {
  /** Names of routes whose bodies weren't created at the start, and after the requests. */
  readonly waiting: readonly string[]
  readonly left: readonly string[]
  readonly seen: object
}

const importsOf: Readonly<Record<string, (names: string, from: string) => string>> = {
  module: (names, from) => `import ${names === 'mini' ? '* as mini' : names} from '${from}'`,
  commonjs: (names, from) => `const ${names} = require('${from}')`,
}

for (const [kind, imports] of Object.entries(importsOf))
  test(`types of routes are created when they're read, and routes answer as on Fastify: ${kind}`, (t) => {
    const types = `${imports('{ z }', 'zod')}
const Author = z.object({ name: z.string().optional() })
const settings = { longest: 8 }
const declare = (app, answer, z) => app.post('/shadowed', { schema: { body: z.object({ a: z.string() }) } }, answer)
${kind === 'module' ? 'export { Author, declare, settings }' : 'module.exports = { Author, declare, settings }'}
`
    const shop = createZodWorkshop(t, {
      'package.json': { private: true, type: kind },
      'app.js': application(imports),
      'fastify.js': application(imports).replace('framework/5', 'fastify'),
      'types.js': types,
    })
    const observe = (...args: string[]): Observed => {
      const { status, stdout, stderr } = shop.node(...args)
      assert.equal(status, 0, stderr)
      return JSON.parse(stdout) as Observed
    }
    const expected = observe('fastify.js')
    assert.deepEqual(expected.waiting, [])
    shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
    const deployed = observe('--disallow-code-generation-from-strings', 'out')
    assert.deepEqual(deployed.seen, expected.seen)
    assert.deepEqual(deployed.waiting, Object.keys(late))
    assert.deepEqual(deployed.left, [])
    shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'kept', '--keep-schemas')
    assert.deepEqual(observe('kept').waiting, [])
  })

test("types wait for nothing if the application's own compiler might notice", (t) => {
  const shop = createZodWorkshop(t, {
    'package.json': { private: true, type: 'module' },
    'app.js': `import { fastify } from 'framework/5'
import { z } from 'zod'
const app = fastify()
const compiled = []
app.setValidatorCompiler(({ schema, url }) => {
  compiled.push(url)
  return (data) => schema.safeParse(data)
})
app.post('/books', { schema: { body: z.object({ title: z.string() }) } }, async () => compiled)
await app.ready()
console.log(JSON.stringify(compiled))
`,
  })
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'out')
  assert.deepEqual(JSON.parse(shop.node('out').stdout), ['/books'])
})
