/**
 * Compares the CPU time per request of a server with 100 routes with Zod types: on `framework/5` with compiled parsers and without them,
 * both without code generation, and on Fastify 5, where Zod generates code.
 *
 *     npm run bench:zod -- --rounds 3 --seconds 5
 */
import { parseArgs } from 'node:util'
import { startServer } from '../support/start-server.ts'
import { thisProcess } from '../support/folders.ts'
import { createZodWorkshop } from '../support/zod-workshop.ts'
import type { Contestant } from './throughput/contestants.ts'
import { measureRound } from './throughput/load.ts'
import type { Row } from './throughput/rows.ts'
import { median } from './figures.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
})

const application = (framework: string): string => `import { fastify } from '${framework}'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
const app = fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
for (let i = 0; i < 100; i++) {
  const item = z.object({ sku: z.string().min(1), count: z.int().min(1), price: z.number() })
  const order = z.object({ id: z.uuid(), customer: z.string().min(1), email: z.email(), at: z.iso.datetime(), note: z.string().optional(), items: z.array(item) })
  app.post('/orders' + i, { schema: { body: order, response: { 200: order } } }, async ({ body }) => body)
}
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST })
console.log('http://127.0.0.1:' + app.server.address().port)
`

const shop = createZodWorkshop(thisProcess, {
  'app.js': application('framework/5'),
  'fastify.js': application('fastify'),
})
shop.succeed('build', 'app.js')

const contestant = (name: string, ...args: string[]): Contestant => ({
  name,
  async start() {
    const { child, port, stop } = await startServer(process.execPath, args, { cwd: shop.folder })
    return { port, pid: child.pid as number, stop }
  },
})
const strict = '--disallow-code-generation-from-strings'
const contestants = [
  contestant('framework/5, live types', strict, 'app.js'),
  contestant(
    'framework/5, compiled parsers',
    strict,
    '--import',
    './.framework/register.js',
    'app.js',
  ),
  contestant('fastify 5, Zod generates code', 'fastify.js'),
]

const item = { sku: 'a1', count: 2, price: 9.5 }
const order = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  customer: 'Jane',
  email: 'jane@austen.org',
  at: '2020-01-01T00:00:00Z',
  items: [item, item, item],
}
const row: Row = {
  name: 'order',
  method: 'POST',
  path: '/orders50',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(order),
  status: 200,
  contentType: 'application/json; charset=utf-8',
  answer: order,
}

const costs: number[][] = []
for (let round = 0; round < Number(values.rounds); round++)
  costs.push(
    ...(await measureRound(contestants, row, Number(values.seconds))).map((one) => [...one]),
  )
const medians = contestants.map((_, i) => median(costs.map((turn) => turn[i] as number)))
const [live = 0] = medians
for (const [i, { name }] of contestants.entries()) {
  const cost = medians[i] as number
  console.log(`${name.padEnd(32)} ${cost.toFixed(1)} µs per request, ${(cost / live).toFixed(2)}`)
}
