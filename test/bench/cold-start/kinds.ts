/** The benchmarks of starts. The first program of each is a server without a framework. */
import { mkdirSync, rmSync, symlinkSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundleWorker } from '../../support/bundle-worker.ts'
import { packages } from '../../support/compile-oracle.ts'
import { fastifyLines } from '../../support/bridged.ts'
import { serveConfig, serveWorker } from '../../support/workerd.ts'
import {
  generateApplication,
  prepareStarts,
  sampleRequest,
  type Style,
  mainSource,
  rawSource,
} from '../application.ts'
import { root } from '../../support/root.ts'
import {
  factorySource,
  framework,
  withArtifact,
  peerFolder,
  writeFile as write,
} from '../prepare.ts'
import type { SampleRequest } from '../sample-request.ts'
import type { Contestant } from '../startup.ts'

/** Arguments of Node, or a function that starts another program. */
export type Program = readonly string[] | Contestant['start']

interface Race {
  readonly request: SampleRequest
  readonly programs: Readonly<Record<string, (node: string) => Program | Promise<Program>>>
  /** Compressed sizes of programs in bytes, once they are made. */
  readonly sizes?: ReadonlyMap<string, number>
}

interface Kind {
  /** Default of the option. `nodes: ''` is the Node that runs the benchmark. */
  readonly routes: string
  readonly nodes: string
  readonly style: Style
  /** @param workload a number of routes, or a name */
  prepare(workload: string, style: Style): Race
}

export const kinds: Readonly<Record<string, Kind>> = {
  lines: { routes: '1,10,100,1000', nodes: '', style: 'loop', prepare: lines },
  deploy: {
    routes: '1,100,1000,realistic',
    nodes: '22,24',
    style: 'literal',
    prepare: deployments,
  },
  bridge: { routes: '1,10,100,1000', nodes: '22,24', style: 'loop', prepare: bridged },
  workerd: { routes: '1,100,1000', nodes: '', style: 'loop', prepare: workers },
}

/** Both lines of the runtime, and the Fastify of each. */
function lines(count: string, style: Style): Race {
  const folder = join(root, `dist/bench/cold-start/${style}-${count}`)
  const starts = Object.entries(prepareStarts(folder, Number(count), style))
  return {
    request: sampleRequest,
    programs: Object.fromEntries(starts.map(([name, args]) => [name, () => args])),
  }
}

/** The real Fastify, alone and with the functions of an artifact. */
function bridged(count: string, style: Style): Race {
  const folders = fastifyLines.map((line) => {
    const folder = join(root, `dist/bench/bridge/${packages[line]}-${count}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(join(root, 'node_modules', packages[line]), join(folder, 'node_modules/fastify'))
    generateApplication(folder, Number(count), style)
    framework('build', join(folder, 'fastify.app.mjs'), '--out', join(folder, '.framework'))
    return [line, folder] as const
  })
  const [[, first]] = folders as [(typeof folders)[0]]
  const programs: Race['programs'] = Object.fromEntries([
    ['node:http', () => [join(first, 'raw.mjs')]] as const,
    ...folders.flatMap(([line, folder]) => {
      const main = join(folder, 'fastify.mjs')
      // Without `strict`, Fastify would compile what the artifact lacks, and the figures would be wrong.
      const preload = `${join(folder, '.framework/fastify.mjs')}?strict`
      return [
        [line, () => [main]] as const,
        [`${line}, compiled`, () => ['--import', preload, main]] as const,
      ]
    }),
  ])
  return { request: sampleRequest, programs }
}

/** Workers in workerd. */
function workers(count: string, style: Style): Race {
  const folder = join(root, `dist/bench/workerd/${style}-${count}`)
  const out = join(folder, '.framework')
  const { entry } = generateApplication(folder, Number(count), style)
  framework('build', entry, '--out', out)
  const sizes = new Map<string, number>()
  const bundle = async (
    name: string,
    source: string,
    instead: Record<string, string>,
    from = folder,
  ): Promise<string> => {
    const code = await bundleWorker(source, { folder: from, minify: true, instead })
    sizes.set(name, gzipSync(code).length)
    return code
  }
  return {
    request: sampleRequest,
    sizes,
    programs: {
      'a plain handler': () => () => serveWorker(rawWorker),
      'fastify 4.21': async () => {
        const main = createRequire(import.meta.url).resolve('fastify')
        // workerd forbids timers at the start.
        const fastify = factorySource(main, '{ pluginTimeout: 0 }')
        const source = await bundle('fastify 4.21', fastifyWorker, { fastify })
        // It generates code while it starts, which workerd then must allow.
        return () => serveWorker(source, { compatibility: { date: '2026-11-17', flags: [] } })
      },
      'hono with typebox': async () => {
        const source = `${honoApplication(Number(count))}export default app\n`
        const code = await bundle('hono with typebox', source, {}, peerFolder('deploy'))
        return () => serveWorker(code)
      },
      framework: async () => {
        const instead = { framework: withArtifact(out) }
        const source = await bundle('framework', frameworkWorker, instead)
        return () => serveWorker(source)
      },
      'framework, deployed': () => {
        const deployed = join(folder, 'deployed')
        framework('deploy', entry, '--target', 'workerd', '--out', deployed)
        const code = readdirSync(deployed).filter((name) => name.endsWith('.js'))
        const sized = code.map((name) => gzipSync(readFileSync(join(deployed, name))).length)
        sizes.set(
          'framework, deployed',
          sized.reduce((sum, one) => sum + one),
        )
        return () => serveConfig(deployed, 'config.capnp')
      },
    },
  }
}

const rawWorker = `export default {
  async fetch(request) {
    return Response.json({ id: 7, ...(await request.json()) })
  },
}
`

const frameworkWorker = `import { toFetch } from 'framework/fetch'
import { build } from './framework.app.mjs'
const app = build()
await app.ready()
export default { fetch: toFetch(app) }
`

/** Serves through workerd's adapter for `node:http`. */
const fastifyWorker = `import { httpServerHandler } from 'cloudflare:node'
import { build } from './fastify.app.mjs'
const app = build()
await app.ready()
app.server.listen(8080)
export default httpServerHandler({ port: 8080 })
`

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
      bundled(write(join(inPeers, 'hono.mjs'), `${honoApplication(count)}${honoServer}`)),
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

/** Bundles a program and its packages into one minified CommonJS file. */
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

const honoServer = `import { serve } from '@hono/node-server'
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log('Listening at http://127.0.0.1:' + port)
})
`

/** Source of the same routes, as users of Hono write them. Hono serializes with `JSON.stringify`. */
function honoApplication(count: number): string {
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
  return `import { tbValidator } from '@hono/typebox-validator'
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
`
}
