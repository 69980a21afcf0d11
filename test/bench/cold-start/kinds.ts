/** The programs whose starts are compared, by name. The server without a framework is the first. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bundleWorker } from '../../support/bundle-worker.ts'
import { fastifyLines, packages } from '../../support/bridged.ts'
import { serveConfig, serveWorker } from '../../support/workerd.ts'
import { generateApplication, prepareStarts, sampleRequest, type Style } from '../application.ts'
import { factorySource, framework, root, withArtifact } from '../prepare.ts'
import type { SampleRequest } from '../sample-request.ts'
import type { Contestant } from '../startup.ts'
import { deployments } from './deployments.ts'

/** The arguments of Node, or what starts something else. */
export type Program = readonly string[] | Contestant['start']

export interface Race {
  readonly request: SampleRequest
  readonly programs: Readonly<Record<string, (node: string) => Program | Promise<Program>>>
}

interface Kind {
  /** Defaults of options. Without `nodes`, it is the Node that runs the benchmark. */
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

/** A Worker of each in workerd. */
function workers(count: string, style: Style): Race {
  const folder = join(root, `dist/bench/workerd/${style}-${count}`)
  const out = join(folder, '.framework')
  const { entry } = generateApplication(folder, Number(count), style)
  framework('build', entry, '--out', out)
  const bundle = (source: string, instead: Record<string, string>): Promise<string> =>
    bundleWorker(source, { folder, minify: true, instead })
  return {
    request: sampleRequest,
    programs: {
      'a plain handler': () => () => serveWorker(rawWorker),
      'fastify 4.21': async () => {
        const main = createRequire(import.meta.url).resolve('fastify')
        const fastify = factorySource(main, '{ pluginTimeout: 0 }')
        const source = await bundle(fastifyWorker, { fastify })
        // It generates code while it starts, which workerd then must allow.
        return () => serveWorker(source, { compatibility: { date: '2026-11-17', flags: [] } })
      },
      framework: async () => {
        const source = await bundle(frameworkWorker, { framework: withArtifact(out) })
        return () => serveWorker(source)
      },
      'framework, deployed': () => {
        const deployed = join(folder, 'deployed')
        framework('deploy', entry, '--target', 'workerd', '--out', deployed)
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

/** The way that workerd has for frameworks on `node:http`. Without a timer, which it forbids at start-up. */
const fastifyWorker = `import { httpServerHandler } from 'cloudflare:node'
import { build } from './fastify.app.mjs'
const app = build()
await app.ready()
app.server.listen(8080)
export default httpServerHandler({ port: 8080 })
`
