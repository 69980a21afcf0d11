/** Generates the application that most benchmarks measure. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { framework, writeFile } from './prepare.ts'
import type { SampleRequest } from './sample-request.ts'

/** A generated application, with a main file per contestant, such as `framework-5.mjs`. */
export interface GeneratedApplication {
  readonly folder: string
  /** The file that `framework build` reads: the application for Fastify 4.21. */
  readonly entry: string
}

/**
 * `loop`: the routes are declared in a loop over five shapes, so that the engine's work on the application's
 * own text is small. `literal`: each route is written out, a kilobyte of source per route.
 */
export type Style = 'loop' | 'literal'

/** One request that route `i` validates and answers with a serialized body. */
export const sampleRequest: SampleRequest = {
  method: 'POST',
  path: '/r0/7?page=2&tags=a',
  status: 200,
  answer: '{"id":7,"name":"Ada"',
  body: JSON.stringify({
    name: 'Ada',
    address: { street: 'Main', city: 'Paris', zip: '75001' },
    tags: ['x'],
  }),
}

/**
 * Writes an application with `count` POST routes, each with params, querystring, body and response schemas in
 * one of five shapes, over four shared schemas (plain `$id`, URL `$id`, recursive, one that refers to another).
 * The sources of the contestants differ only in the name that they import.
 */
export function generateApplication(
  folder: string,
  count: number,
  style: Style,
): GeneratedApplication {
  mkdirSync(folder, { recursive: true })
  const write = (file: string, source: string): string => writeFile(join(folder, file), source)
  write('raw.mjs', rawSource(sampleRequest))
  for (const name of ['framework', 'framework/5', 'fastify', 'fastify-5']) {
    const file = name.replace('/', '-')
    write(`${file}.app.mjs`, applicationSource(name, count, style))
    write(`${file}.mjs`, mainSource(`./${file}.app.mjs`))
  }
  return { folder, entry: join(folder, 'framework.app.mjs') }
}

const listening = 'process.stdout.write(`Listening at http://127.0.0.1:${port}\\n`)'

/**
 * Generates an application with `count` routes, and builds it for both lines.
 *
 * @returns Node's arguments for starting each contestant
 */
export function prepareStarts(
  folder: string,
  count: number,
  style: Style,
): Readonly<Record<string, readonly string[]>> {
  generateApplication(folder, count, style)
  const built = (name: string): string[] => {
    const out = join(folder, `.${name}`)
    framework('build', join(folder, `${name}.app.mjs`), '--out', out)
    return ['--import', join(out, 'register.js'), join(folder, `${name}.mjs`)]
  }
  // Without `--disallow-code-generation-from-strings`: V8 flags make Node itself start more slowly.
  return {
    'node:http': [join(folder, 'raw.mjs')],
    'fastify 5.12': [join(folder, 'fastify-5.mjs')],
    'framework/5': built('framework-5'),
    'fastify 4.21': [join(folder, 'fastify.mjs')],
    framework: built('framework'),
  }
}

/** Source of a main module that starts the application of a file. Without `await`, so that it can be bundled to CommonJS. */
export function mainSource(file: string): string {
  return `import { build } from ${JSON.stringify(file)}
const app = build()
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).then(() => {
  const { port } = app.server.address()
  ${listening}
})
`
}

/** Source of a server without a framework. `import` of node:http would cost it 25 ms more since Node 22. */
export function rawSource({ status, answer }: SampleRequest): string {
  const [id] = /\d+/.exec(answer) ?? []
  return `const { createServer } = process.getBuiltinModule('node:http')
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part) => { text += part }).on('end', () => {
    const body = JSON.stringify({ id: ${id}, ...JSON.parse(text) })
    response.writeHead(${status}, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  const { port } = server.address()
  ${listening}
})
`
}

function applicationSource(specifier: string, count: number, style: Style): string {
  return `import framework from '${specifier}'

export function build() {
  const app = framework()
  app.addSchema({ $id: 'address', type: 'object', required: ['street', 'city'], properties: { street: { type: 'string' }, city: { type: 'string', maxLength: 80 }, zip: { type: 'string', pattern: '^[0-9]{5}$' } } })
  app.addSchema({ $id: 'http://example.com/money.json', type: 'object', required: ['amount', 'currency'], properties: { amount: { type: 'number', minimum: 0 }, currency: { enum: ['EUR', 'USD'] } } })
  app.addSchema({ $id: 'tree', type: 'object', properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: 'tree#' } } } })
  app.addSchema({ $id: 'person', type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' }, home: { $ref: 'address#' } } })
${style === 'loop' ? loopSource(count) : literalSource(count)}
  return app
}
`
}

const extras = [
  '',
  `, price: { $ref: 'http://example.com/money.json#' }`,
  `, root: { $ref: 'tree#' }`,
  `, owner: { $ref: 'person#' }, since: { type: 'string', format: 'date-time' }`,
  `, kind: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a', 'b'] }] }, flags: { type: 'object', additionalProperties: { type: 'boolean' } }`,
] as const

function routeSource(i: string, shape: number): string {
  const properties = `name: { type: 'string', minLength: 1, maxLength: 40 + ${i}, default: 'name' + ${i} }, address: { $ref: 'address#' }, tags: { type: 'array', maxItems: 9, items: { type: 'string' } }${extras[shape]}`
  return `app.post('/r' + ${i} + '/:id', {
      schema: {
        params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
        querystring: { type: 'object', properties: { page: { type: 'integer', default: 1 }, tags: { type: 'array', items: { type: 'string' } } } },
        body: { type: 'object', required: ['name', 'address'], properties: { ${properties} } },
        response: { 200: { type: 'object', properties: { id: { type: 'integer' }, ${properties} } } },
      },
    }, async (request) => ({ id: request.params.id, ...request.body }))`
}

function loopSource(count: number): string {
  const shapes = extras.map((_, shape) => `    (i) => ${routeSource('i', shape)},`)
  return `  const shapes = [
${shapes.join('\n')}
  ]
  for (let i = 0; i < ${count}; i++) shapes[i % shapes.length](i)`
}

function literalSource(count: number): string {
  const routes = Array.from(
    { length: count },
    (_, i) => `  ${routeSource(String(i), i % extras.length)}`,
  )
  return routes.join('\n')
}
