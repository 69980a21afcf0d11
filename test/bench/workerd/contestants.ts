/** The contestants: the same application in a Worker of each. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandFile } from '../../support/command-file.ts'
import { bundleWorker } from '../../support/bundle-worker.ts'
import {
  serveConfig,
  serveWorker,
  type Workerd,
  type WorkerOptions,
} from '../../support/workerd.ts'
import { generateApplication, type Style } from '../application.ts'
import { keptRoutes, runtimeOf } from '../deploy/floors.ts'

export interface Contestant {
  readonly name: string
  /** The size of all its modules. */
  readonly bytes: number
  serve(): Promise<Workerd>
}

const dist = fileURLToPath(new URL('../../..', import.meta.url))

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
export async function prepare(count: number, style: Style): Promise<readonly Contestant[]> {
  const folder = join(dist, `bench/workerd/${style}-${count}`)
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
    instead: {
      framework: `import artifact from ${JSON.stringify(join(out, 'worker.mjs'))}
${factorySource(join(dist, '../runtime/dist/index.js'), '{ aot: { artifact } }')}`,
    },
  })
  return [
    worker('a plain handler', rawSource),
    // It generates code while it starts, which workerd then must allow.
    worker('fastify 4.21', fastify, { compatibility: { date: '2026-11-17', flags: [] } }),
    worker('framework', bundled),
    deployment('framework, deployed', deployed),
    // Routes in a loop have no text that could be a floor.
    ...(style === 'literal' ? [deployment('floor', floorOf(deployed, count))] : []),
  ]
}

function worker(name: string, source: string, options?: WorkerOptions): Contestant {
  return { name, bytes: source.length, serve: () => serveWorker(source, options) }
}

function deployment(name: string, folder: string): Contestant {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  return { name, bytes, serve: () => serveConfig(folder, 'config.capnp') }
}

/**
 * A lower bound for deployments: the plain handler with everything that a deployment holds. The runtime is read and not run, the
 * application's routes are only kept.
 */
function floorOf(deployed: string, count: number): string {
  const floor = mkdtempSync(join(tmpdir(), 'framework-floor-'))
  process.once('exit', () => rmSync(floor, { recursive: true, force: true }))
  cpSync(deployed, floor, { recursive: true })
  const main = `async function runtime() {\n${runtimeOf(deployed)}\n}\n${keptRoutes(count)}${rawSource}`
  writeFileSync(join(floor, 'index.js'), main)
  return floor
}

function framework(...args: readonly string[]): void {
  const command = [commandFile, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`framework ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

/** The factory with options that the application does not give. */
function factorySource(file: string, options: string): string {
  return `import factory from ${JSON.stringify(file)}
export default (given) => factory({ ...given, ...${options} })
`
}
