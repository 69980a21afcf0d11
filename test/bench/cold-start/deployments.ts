/** Deployed applications: ours, and those of other frameworks as their users bundle them. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  generateApplication,
  mainSource,
  rawSource,
  sampleRequest,
  type Style,
} from '../application.ts'
import { framework, peerFolder, root, writeFile as write } from '../prepare.ts'
import type { SampleRequest } from '../sample-request.ts'
import type { Race } from './kinds.ts'

const officeRequest: SampleRequest = {
  method: 'POST',
  path: '/members',
  status: 201,
  answer: '{"id":1,"name":"Ada"',
  body: JSON.stringify({
    name: 'Ada',
    email: 'ada@library.test',
    address: { street: 'Main', city: 'Paris', zip: '75001' },
  }),
}

/** @param workload a number of routes, or `realistic` for fixtures/deploy/office */
export function deployments(workload: string, style: Style): Race {
  const folder = join(root, 'dist/bench/deploy', workload)
  mkdirSync(folder, { recursive: true })
  const request = workload === 'realistic' ? officeRequest : sampleRequest
  const raw = write(join(folder, 'raw.cjs'), rawSource(request))
  const programs =
    workload === 'realistic' ? office(folder) : generated(folder, Number(workload), style)
  return { request, programs: { 'node:http': () => [raw], ...programs } }
}

function generated(folder: string, count: number, style: Style): Race['programs'] {
  const { entry } = generateApplication(folder, count, style)
  const inPeers = join(peerFolder('deploy'), 'bench', String(count))
  mkdirSync(inPeers, { recursive: true })
  const fastifyIn = (place: string): Promise<readonly string[]> =>
    bundled(write(join(place, 'fastify.main.mjs'), mainSource('./fastify.app.mjs')))
  return {
    ...ours(folder, entry),
    'fastify 4.21, bundled': () => fastifyIn(folder),
    'fastify 5, bundled': () => {
      cpSync(join(folder, 'fastify.app.mjs'), join(inPeers, 'fastify.app.mjs'))
      return fastifyIn(inPeers)
    },
    'hono with typebox, bundled': () =>
      bundled(write(join(inPeers, 'hono.mjs'), honoSource(count))),
  }
}

function office(folder: string): Race['programs'] {
  const copyOf = (name: string): string => {
    const copy = join(folder, name)
    rmSync(copy, { recursive: true, force: true })
    cpSync(join(root, 'fixtures/deploy/office'), copy, { recursive: true })
    return copy
  }
  const own = copyOf('framework')
  const app = join(own, 'app.mjs')
  write(app, readFileSync(app, 'utf8').replace("from 'fastify'", "from 'framework'"))
  const main = write(join(copyOf('fastify'), 'main.mjs'), mainSource('./app.mjs'))
  return { ...ours(own, app), 'fastify 4.21, bundled': () => bundled(main) }
}

function ours(folder: string, entry: string): Race['programs'] {
  const deployed = (kind: string, ...options: readonly string[]): readonly string[] => {
    const out = join(folder, 'deployed', kind)
    framework('deploy', entry, '--target', 'node', '--out', out, ...options)
    return [out]
  }
  return {
    'framework, from its source': () => {
      const out = join(folder, '.framework')
      framework('build', entry, '--out', out)
      const name = entry.slice(folder.length + 1)
      const main = write(join(folder, 'framework.main.mjs'), mainSource(`./${name}`))
      return ['--import', join(out, 'register.js'), main]
    },
    'framework, deployed': () => deployed('bundle'),
    'framework, deployed with its compile cache': (node) =>
      deployed('compile-cache', '--compile-cache', '--node', node),
  }
}

/** Joins a program and its packages to one CommonJS file, as small as can be. */
async function bundled(entry: string): Promise<readonly string[]> {
  const outfile = entry.replace(/\.mjs$/, '.bundle.cjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  })
  return [outfile]
}
/** The routes of the other contestants, as Hono's users write them. Hono serializes with `JSON.stringify`. */
function honoSource(count: number): string {
  const extras = [
    '',
    ', price: Type.Optional(money)',
    ', root: Type.Optional(tree)',
    `, owner: Type.Optional(person), since: Type.Optional(Type.String({ format: 'date-time' }))`,
    `, kind: Type.Optional(Type.Union([Type.Integer(), Type.Union([Type.Literal('a'), Type.Literal('b')])])), flags: Type.Optional(Type.Record(Type.String(), Type.Boolean()))`,
  ]
  const routes = Array.from(
    { length: count },
    (_, i) => `app.post('/r${i}/:id',
  tbValidator('param', Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) })),
  tbValidator('query', Type.Object({ page: Type.Optional(Type.String({ pattern: '^[0-9]+$' })), tags: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])) })),
  tbValidator('json', Type.Object({ name: Type.String({ minLength: 1, maxLength: ${40 + i}, default: 'name${i}' }), address, tags: Type.Optional(Type.Array(Type.String(), { maxItems: 9 }))${extras[i % extras.length]} })),
  (c) => c.json({ id: Number(c.req.valid('param').id), ...c.req.valid('json') }),
)`,
  )
  return `import { serve } from '@hono/node-server'
import { tbValidator } from '@hono/typebox-validator'
import { FormatRegistry, Type } from '@sinclair/typebox'
import { Hono } from 'hono'

FormatRegistry.Set('email', (text) => /^[^@\\s]+@[^@\\s]+$/.test(text))
FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)))
const app = new Hono()
const address = Type.Object({ street: Type.String(), city: Type.String({ maxLength: 80 }), zip: Type.Optional(Type.String({ pattern: '^[0-9]{5}$' })) })
const money = Type.Object({ amount: Type.Number({ minimum: 0 }), currency: Type.Union([Type.Literal('EUR'), Type.Literal('USD')]) })
const tree = Type.Recursive((self) => Type.Object({ label: Type.Optional(Type.String()), children: Type.Optional(Type.Array(self)) }))
const person = Type.Object({ email: Type.String({ format: 'email' }), home: Type.Optional(address) })
${routes.join('\n')}
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log('Listening at http://127.0.0.1:' + port)
})
`
}
