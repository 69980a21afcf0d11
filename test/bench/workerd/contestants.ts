/** The contestants: the same application in a Worker of each. */
import { readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bundleWorker } from '../../support/bundle-worker.ts'
import { serveConfig, serveWorker, type WorkerOptions } from '../../support/workerd.ts'
import { generateApplication, type Style } from '../application.ts'
import { factorySource, framework, root, withArtifact } from '../prepare.ts'
import type { Contestant } from '../startup.ts'

export interface WorkerContestant extends Contestant {
  /** The size of all its modules. */
  readonly bytes: number
}

const rawSource = `export default {
  async fetch(request) {
    return Response.json({ id: 7, ...(await request.json()) })
  },
}
`

const frameworkSource = `import { toFetch } from 'framework/fetch'
import { build } from './framework.app.mjs'
const app = build()
await app.ready()
export default { fetch: toFetch(app) }
`

/** The way that workerd has for frameworks on `node:http`. Without a timer, which it forbids at start-up. */
const fastifySource = `import { httpServerHandler } from 'cloudflare:node'
import { build } from './fastify.app.mjs'
const app = build()
await app.ready()
app.server.listen(8080)
export default httpServerHandler({ port: 8080 })
`

/** Writes, builds, bundles and deploys an application with `count` routes. */
export async function prepare(count: number, style: Style): Promise<readonly WorkerContestant[]> {
  const folder = join(root, `dist/bench/workerd/${style}-${count}`)
  const out = join(folder, '.framework')
  const { entry } = generateApplication(folder, count, style)
  framework('build', entry, '--out', out)
  const deployed = join(folder, 'deployed')
  framework('deploy', entry, '--target', 'workerd', '--out', deployed)
  const fastifyMain = createRequire(import.meta.url).resolve('fastify')
  const fastify = await bundleWorker(fastifySource, {
    folder,
    minify: true,
    instead: { fastify: factorySource(fastifyMain, '{ pluginTimeout: 0 }') },
  })
  const bundled = await bundleWorker(frameworkSource, {
    folder,
    minify: true,
    instead: { framework: withArtifact(out) },
  })
  return [
    worker('a plain handler', rawSource),
    // It generates code while it starts, which workerd then must allow.
    worker('fastify 4.21', fastify, { compatibility: { date: '2026-11-17', flags: [] } }),
    worker('framework', bundled),
    deployment('framework, deployed', deployed),
  ]
}

function worker(name: string, source: string, options?: WorkerOptions): WorkerContestant {
  return { name, bytes: source.length, start: () => serveWorker(source, options) }
}

function deployment(name: string, folder: string): WorkerContestant {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  return { name, bytes, start: () => serveConfig(folder, 'config.capnp') }
}
