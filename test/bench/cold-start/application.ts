import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a generated application lies, one main file per contestant. */
export interface GeneratedApplication {
  readonly folder: string
  /** The file that `framework build` reads. */
  readonly entry: string
}

/** One request that route `i` validates and answers with a serialized body. */
export const sampleRequest = {
  method: 'POST',
  path: '/r0/7?page=2&tags=a',
  body: JSON.stringify({
    name0: 'Ada',
    address: { street: 'Main', city: 'Paris', zip: '75001' },
    tags: ['x'],
  }),
} as const

/**
 * Writes an application with `count` POST routes, each with params, querystring, body and response schemas in
 * one of five shapes, over four shared schemas (plain `$id`, URL `$id`, recursive, one that refers to another).
 * Fastify and framework get the same source but for the name in the import.
 */
export function generateApplication(folder: string, count: number): GeneratedApplication {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'raw.mjs'), rawSource)
  for (const name of ['framework', 'fastify']) {
    writeFileSync(join(folder, `${name}.app.mjs`), applicationSource(name, count))
    writeFileSync(join(folder, `${name}.mjs`), mainSource(name))
  }
  return { folder, entry: join(folder, 'framework.app.mjs') }
}

/** Tells the parent the port, then the cost once the first response is out. */
const reporter = `export function reportTo(server, port) {
  server.on('request', (_request, response) => response.on('finish', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: (user + system) / 1000, rss: process.memoryUsage.rss() / 2 ** 20 })
  }))
  process.send({ port })
}
`

function mainSource(name: string): string {
  return `import { build } from './${name}.app.mjs'
${reporter.replace('export ', '')}
const app = build()
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(app.server, app.server.address().port)
`
}

const rawSource = `import { createServer } from 'node:http'
${reporter.replace('export ', '')}
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part) => { text += part }).on('end', () => {
    const body = JSON.stringify({ id: 7, ...JSON.parse(text) })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => reportTo(server, server.address().port))
`

function applicationSource(name: string, count: number): string {
  const routes = Array.from({ length: count }, (_, i) => routeSource(i))
  return `import ${name} from '${name}'

export function build() {
  const app = ${name}({ aot: { check: process.env.FRAMEWORK_CHECK } })
  app.addSchema({ $id: 'address', type: 'object', required: ['street', 'city'], properties: { street: { type: 'string' }, city: { type: 'string', maxLength: 80 }, zip: { type: 'string', pattern: '^[0-9]{5}$' } } })
  app.addSchema({ $id: 'http://example.com/money.json', type: 'object', required: ['amount', 'currency'], properties: { amount: { type: 'number', minimum: 0 }, currency: { enum: ['EUR', 'USD'] } } })
  app.addSchema({ $id: 'tree', type: 'object', properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: 'tree#' } } } })
  app.addSchema({ $id: 'person', type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' }, home: { $ref: 'address#' } } })
${routes.join('\n')}
  return app
}
`
}

function routeSource(i: number): string {
  return `  app.post('/r${i}/:id', {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
      querystring: { type: 'object', properties: { page: { type: 'integer', default: 1 }, tags: { type: 'array', items: { type: 'string' } } } },
      body: ${bodySource(i)},
      response: { 200: ${responseSource(i)} },
    },
  }, async (request) => ({ id: request.params.id, ...request.body }))`
}

const extras = [
  '',
  `, price: { $ref: 'http://example.com/money.json#' }`,
  `, root: { $ref: 'tree#' }`,
  `, owner: { $ref: 'person#' }, since: { type: 'string', format: 'date-time' }`,
  `, kind: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a', 'b'] }] }, flags: { type: 'object', additionalProperties: { type: 'boolean' } }`,
] as const

function propertiesSource(i: number): string {
  return `name${i}: { type: 'string', minLength: 1, maxLength: 40 }, address: { $ref: 'address#' }, tags: { type: 'array', maxItems: 9, items: { type: 'string' } }${extras[i % extras.length]}`
}

function bodySource(i: number): string {
  return `{ type: 'object', required: ['name${i}', 'address'], properties: { ${propertiesSource(i)} } }`
}

function responseSource(i: number): string {
  return `{ type: 'object', properties: { id: { type: 'integer' }, ${propertiesSource(i)} } }`
}
