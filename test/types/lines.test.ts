/** A program has the same problems with the types of a line as with those of the Fastify that the line answers like. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { root } from '../support/root.ts'
import { check, consumer } from './consumer.ts'

/** Where each line's type providers differ. */
const members = {
  4: ['output: this["input"] extends TSchema ? Static<this["input"]> : unknown'],
  5: ['validator', 'serializer'].map(
    (name) => `${name}: this["schema"] extends TSchema ? Static<this["schema"]> : unknown`,
  ),
}

const setup = (subject: string, line: 4 | 5) => `
import { Type, type Static, type TSchema } from 'typebox'
import fastify from '${subject}'
import type * as lib from '${subject}'
interface Provider extends lib.FastifyTypeProvider { ${members[line].join('\n')} }
const Book = Type.Object({ title: Type.String() })
const Missing = Type.Object({ reason: Type.String() })
const app = fastify()
const typed = fastify().withTypeProvider<Provider>()
`

/** The statements of one program. Each of them may have problems. */
const statements = `
declare const hook: lib.preHandlerHookHandler
declare const asyncHook: lib.preHandlerAsyncHookHandler
declare const others: { onRequest: lib.onRequestHookHandler, preParsing: lib.preParsingHookHandler, onSend: lib.onSendHookHandler, onError: lib.onErrorHookHandler, preSerialization: lib.preSerializationHookHandler<{ a: 1 }>, onRequestAbort: lib.onRequestAbortHookHandler }
declare const ownHook: lib.preHandlerHookHandler<lib.RawServerDefault, lib.RawRequestDefaultExpression, lib.RawReplyDefaultExpression, { Body: { a: 1 } }>
declare const schemaHook: lib.preHandlerHookHandler<lib.RawServerDefault, lib.RawRequestDefaultExpression, lib.RawReplyDefaultExpression, lib.RouteGenericInterface, unknown, { body: typeof Book }>
declare const schemaCompiler: lib.FastifySchemaCompiler<{ body: typeof Book }>
typed.post('/', { schema: { body: Book }, preHandler: hook }, (request) => request.body.title.length)
typed.post('/', { schema: { body: Book }, preHandler: [hook, asyncHook] }, (request) => request.body.title.length)
typed.post('/', { schema: { body: Book }, ...others }, (request) => request.body.title.length)
typed.post('/', { schema: { body: Book }, preHandler: hook, handler: (request) => request.body.title.length })
typed.post('/', { schema: { body: Book }, preHandler: ownHook }, (request) => request.body.title.length)
typed.post('/', { preHandler: schemaHook }, (request) => request.body.title.length)
typed.route({ method: 'POST', url: '/', validatorCompiler: schemaCompiler, handler: (request) => request.body.title.length })
typed.route({ method: 'POST', url: '/', schema: { body: Book }, preHandler: [hook], handler: (request) => request.body.title.length })
typed.route({ method: 'POST', url: '/', schema: { body: Book }, preHandler: async (request) => request.body.titel, handler: () => {} })
typed.route({ method: 'POST', url: '/', schema: { body: Book }, errorHandler: (error, request) => request.body, handler: (request) => request.body.titel })
typed.get('/', { schema: { response: { 200: Book, 404: Missing } } }, (request, reply) => {
  reply.code(200).send({ title: 'a' })
  reply.code(404).send({ reason: 'a' })
  reply.code(404).send({ title: 'a' })
  reply.code(500)
  reply.status(500)
  reply.send({ title: 'a' })
  reply.send({ titel: 'a' })
  reply.send()
  reply.code(200).send()
})
typed.route({ method: 'GET', url: '/', schema: { response: { 200: Book } }, handler: (request, reply) => {
  reply.code(200).send({ titel: 'a' })
  reply.code(404)
} })
typed.get('/', { schema: { response: { '2xx': Book, default: Missing } } }, (request, reply) => {
  reply.code(200).send({ reason: 'a' })
  reply.code(404)
})
app.get('/', { schema: { response: { 200: { type: 'string' } } } }, (request, reply) => {
  reply.code(404)
  reply.code(200).send(1)
  reply.send()
})
app.route({ method: 'GET', url: '/', schema: { response: { 200: { type: 'string' } } }, handler: (request, reply) => {
  reply.code(404)
} })
app.get('/', { schema: { response: { 200: { type: 'string' } } }, handler(request, reply) {
  reply.code(404)
} })
app.get<{ Reply: { 200: string } }>('/', { schema: { response: { 200: {}, 404: {} } } }, (request, reply) => {
  reply.code(404)
  reply.code(200).send(1)
})
app.get('/', { config: { role: 'reader' } }, (request) => request.routeOptions.config.role)
app.get('/', (request, reply) => {
  reply.redirect('/', 301)
  reply.redirect(301, '/')
  reply.getSerializationFunction('200')({})
  request.getValidationFunction('body')({})
  request.routeOptions.url.length
  request.id.then()
})
app.setErrorHandler((error) => error.message)
app.setErrorHandler<Error>((error) => error.message)
app.decorate('name', null)
app.addresses()[0]?.address
app.after((error) => error.message)
app.ready((error) => error.message)
app.route({ method: 'CONNECT', url: '/', handler: () => {} })
fastify({ trustProxy: 1 })
`

/** The lines of the statements that don't compile with the types of a package. */
async function problems(t: TestContext, subject: string, line: 4 | 5): Promise<string[]> {
  const folder = await consumer(t, { types: ['node'], skipLibCheck: true }, [
    'fastify',
    'fastify-5',
  ])
  const head = setup(subject, line)
  await writeFile(join(folder, 'app.mts'), head + statements)
  const output = await check(folder)
  const lines = (head + statements).split('\n')
  const numbers = [...output.matchAll(/app\.mts\((\d+),/g)].map(([, number]) => Number(number))
  return [...new Set(numbers)].map((number) => lines[number - 1]?.trim() as string)
}

test('programs have the same problems with framework/5 as with Fastify 5', async (t) => {
  const real = await problems(t, 'fastify-5', 5)
  assert.ok(real.length > 20)
  assert.deepEqual(await problems(t, 'framework/5', 5), real)
})

test('programs have no other problems with framework than with Fastify 4', async (t) => {
  const real = await problems(t, 'fastify', 4)
  const ours = await problems(t, 'framework', 4)
  assert.ok(ours.length > 5)
  assert.deepEqual(
    ours.filter((problem) => !real.includes(problem)),
    [],
  )
})

/** Imports of all modules in which Fastify has nothing but types. */
const typeModules = ['fastify', 'fastify-5']
  .flatMap((name) => readdirSync(join(root, 'node_modules', name, 'types')))
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => file.slice(0, -'.d.ts'.length))

const importing = `import fastify from 'fastify'
import type { FastifyReply } from 'fastify/types/reply'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
${typeModules.map((name, index) => `import type * as m${index} from 'fastify/types/${name}'\nimport type * as n${index} from 'fastify/types/${name}.js'`).join('\n')}
import websocket from '@fastify/websocket'
// Plugins narrow the errors of their validators.
class OwnError extends Error implements FastifySchemaValidationError {
  keyword = ''
  instancePath = ''
  schemaPath = ''
  params = {}
}
declare module 'fastify' {
  interface FastifyValidationResult { errors?: OwnError[] }
}
const app = fastify()
app.register(websocket, { errorHandler: (error, socket, request, reply: FastifyReply) => reply.send(error) })
app.get('/', { websocket: true }, (socket, request) => { socket.send(String(request.ws)) })
app.setValidatorCompiler(() => Object.assign(() => false, { errors: null }))
app.get('/', { schema: { response: { 200: {} } } }, (request, reply) => { reply.code(404) })
`

for (const [way, types, alias, line] of [
  ['the types of framework/fastify', ['framework/fastify'], false, 4],
  [
    'the types of framework/fastify and framework/5',
    ['framework/fastify', 'framework/5'],
    false,
    5,
  ],
  ['the package @framework/fastify', [], true, 5],
] as const) {
  for (const resolution of ['nodenext', 'bundler']) {
    test(`plugins find the modules of Fastify's types with ${way}, with ${resolution}`, async (t) => {
      const options = {
        module: resolution === 'nodenext' ? resolution : 'esnext',
        moduleResolution: resolution,
        types: ['node', ...types],
        skipLibCheck: false,
      }
      const folder = await consumer(t, options, ['@types/ws'])
      const copy = (from: string, to: string): Promise<void> =>
        cp(join(root, from), join(folder, 'node_modules', to), { recursive: true })
      // Not linked: it would find the Fastify of this repository.
      await copy('node_modules/@fastify/websocket', '@fastify/websocket')
      if (alias) await copy('packaging/fastify', 'fastify')
      await writeFile(join(folder, 'app.mts'), importing)
      const found = await check(folder)
      if (line === 4) assert.equal(found, '')
      else
        assert.match(found, /^\S*app\.mts\(\d+,\d+\): error TS2345: Argument of type '404' .*\n$/)
    })
  }
}
