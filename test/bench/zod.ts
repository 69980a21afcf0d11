/**
 * Compares 100 routes with Zod types on `framework/5` with those on Fastify 5 with the same provider: CPU time per request, with
 * compiled parsers and without, where code generation is refused; and CPU time of a start to the first response, beside JSON schemas
 * and the import of Zod alone.
 *
 *     npm run bench:zod -- --rounds 3 --seconds 5 --runs 11 --nodes 20,24
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startServer } from '../support/start-server.ts'
import { thisProcess } from '../support/folders.ts'
import { createZodWorkshop } from '../support/zod-workshop.ts'
import { nodeBinary } from '../targets/installed.ts'
import { rawSource } from './application.ts'
import type { SampleRequest } from './sample-request.ts'
import { nodeContestant, race } from './startup.ts'
import type { Contestant } from './throughput/contestants.ts'
import { measureRound } from './throughput/load.ts'
import type { Row } from './throughput/rows.ts'
import { median } from './figures.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '11' },
    nodes: { type: 'string', default: '' },
  },
})

const numbers = Array.from({ length: 100 }, (_, i) => i)

interface Schemas {
  readonly params: string
  readonly body: string
  readonly reply: string
}

const zodSchemas = (i: number): Schemas => {
  const items = `z.array(z.object({ sku: z.string().min(1), count: z.int().min(1), price: z.number().max(${1000 + i}) }))`
  return {
    params: 'z.object({ id: z.string().min(1) })',
    body: `z.object({ customer: z.string().min(1), email: z.email(), kind: z.enum(['a', 'b']), note: z.string().optional(), page: z.int().default(1), items: ${items} })`,
    reply: `z.object({ id: z.string(), customer: z.string(), items: ${items} })`,
  }
}

const text = `{ type: 'string', minLength: 1 }`
const jsonSchemas = (i: number): Schemas => {
  const items = `{ type: 'array', items: { type: 'object', required: ['sku', 'count', 'price'], properties: { sku: ${text}, count: { type: 'integer', minimum: 1 }, price: { type: 'number', maximum: ${1000 + i} } } } }`
  return {
    params: `{ type: 'object', required: ['id'], properties: { id: ${text} } }`,
    body: `{ type: 'object', required: ['customer', 'email', 'kind', 'items'], properties: { customer: ${text}, email: { type: 'string', format: 'email' }, kind: { enum: ['a', 'b'] }, note: { type: 'string' }, page: { type: 'integer', default: 1 }, items: ${items} } }`,
    reply: `{ type: 'object', required: ['id', 'customer', 'items'], properties: { id: { type: 'string' }, customer: { type: 'string' }, items: ${items} } }`,
  }
}

const zodImports = `import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
`
const compilers = `app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
`

const application = (framework: string, kind: 'zod' | 'json'): string => {
  const routes = numbers.map((i) => {
    const { params, body, reply } = (kind === 'zod' ? zodSchemas : jsonSchemas)(i)
    return `app.post('/orders${i}/:id', { schema: { params: ${params}, body: ${body}, response: { 200: ${reply} } } }, answer)\n`
  })
  return `import { fastify } from '${framework}'
${kind === 'zod' ? zodImports : ''}const app = fastify()
${kind === 'zod' ? compilers : ''}const answer = async (request) => ({ ...request.params, ...request.body })
${routes.join('')}await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? '127.0.0.1' })
console.log('http://127.0.0.1:' + app.server.address().port)
`
}

const item = { sku: 'a1', count: 2, price: 9.5 }
const order = { customer: 'Jane', items: [item, item, item] }
const [path = '', ...otherPaths] = numbers.map((i) => `/orders${i}/7`)
const row: Row = {
  name: 'order',
  method: 'POST',
  path,
  otherPaths,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...order, email: 'jane@austen.org', kind: 'a' }),
  status: 200,
  contentType: 'application/json; charset=utf-8',
  answer: { id: '7', ...order },
}
const request: SampleRequest = {
  method: 'POST',
  path,
  body: row.body as string,
  status: 200,
  answer: '{"id":',
}
const answered = { ...request, answer: '{"id":7' }

const shop = createZodWorkshop(thisProcess, {
  'zod.js': application('framework/5', 'zod'),
  'json.js': application('framework/5', 'json'),
  'fastify.js': application('fastify', 'zod'),
  'raw.js': rawSource(answered),
  'imports-zod.js': `import 'zod'\n${rawSource(answered)}`,
})
shop.succeed('build', 'zod.js')
for (const kind of ['zod', 'json'])
  shop.succeed('deploy', `${kind}.js`, '--target', 'node', '--out', `deployed-${kind}`)

const strict = '--disallow-code-generation-from-strings'
const parsers = ['--import', './.framework/register.js']

for (const node of values.nodes === ''
  ? [process.execPath]
  : values.nodes.split(',').map(nodeBinary)) {
  console.log(`\nNode ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`)
  if (Number(values.rounds) > 0) await printRequests(node)
  if (Number(values.runs) > 0) await printStarts(node)
}

async function printRequests(node: string): Promise<void> {
  const contestant = (name: string, ...args: string[]): Contestant => ({
    name,
    async start() {
      const { child, port, stop } = await startServer(node, args, { cwd: shop.folder })
      return { port, pid: child.pid as number, stop }
    },
  })
  const contestants = [
    contestant('framework/5, live types', strict, 'zod.js'),
    contestant('framework/5, compiled parsers', strict, ...parsers, 'zod.js'),
    contestant('fastify 5, Zod generates code', 'fastify.js'),
  ]
  const costs: number[][] = []
  for (let round = 0; round < Number(values.rounds); round++)
    costs.push(
      ...(await measureRound(contestants, row, Number(values.seconds))).map((one) => [...one]),
    )
  const medians = contestants.map((_, i) => median(costs.map((turn) => turn[i] as number)))
  const [live = 0] = medians
  for (const [i, { name }] of contestants.entries()) {
    const cost = medians[i] as number
    console.log(`${name.padEnd(40)} ${cost.toFixed(1)} µs per request, ${(cost / live).toFixed(2)}`)
  }
}

async function printStarts(node: string): Promise<void> {
  const programs = {
    'node:http': ['raw.js'],
    'node:http and the import of Zod': ['imports-zod.js'],
    'framework/5, JSON schemas, deployed': ['deployed-json/index.js'],
    'framework/5, Zod, deployed': ['deployed-zod/index.js'],
    'framework/5, Zod, from source': [...parsers, 'zod.js'],
    'fastify 5, Zod': ['fastify.js'],
  }
  const inFolder = (arg: string): string =>
    arg.endsWith('.js') ? `${shop.folder}/${arg.replace('./', '')}` : arg
  const contestants = Object.entries(programs).map(([name, args]) =>
    nodeContestant(name, args.map(inFolder), node),
  )
  const costs = await race(contestants, request, Number(values.runs))
  const json = costs.get('framework/5, JSON schemas, deployed')?.cpu ?? 0
  const zod = costs.get('node:http and the import of Zod')?.cpu ?? 0
  for (const [name, { cpu }] of [...costs].slice(1))
    console.log(
      `${name.padEnd(40)} ${cpu.toFixed(0)} ms beyond node:http, ${(cpu - json).toFixed(0)} (${((cpu - json) / zod).toFixed(2)} imports of Zod) beyond JSON schemas`,
    )
}
