/** The contestants on a platform, each a server of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorker } from '../../support/bundle-worker.ts'
import { startServer } from '../../support/start-server.ts'
import { serveConfig, serveWorker, type Workerd } from '../../support/workerd.ts'
import { bunBinary, denoBinary } from '../../targets/installed.ts'
import {
  copyPrograms,
  factorySource,
  framework,
  peerFolder,
  root,
  withArtifact,
} from '../prepare.ts'

export type Platform = 'bun' | 'deno' | 'workerd'
export type Serving = Pick<Workerd, 'port' | 'pid'> & { stop(): Promise<unknown> }

export interface Contestant {
  readonly name: string
  start(): Promise<Serving>
}

const kinds = ['throughput', 'edge']
const own = join(root, 'dist/bench/edge')

/** Installs the peers. Returns the folder of the programs, where these find their packages. */
export function peerPrograms(): string {
  const peers = peerFolder('edge', { '@fastify/aws-lambda': '^6.4.1', elysia: '^1.4.30' })
  return copyPrograms(join(peers, 'bench'), 'fastify', kinds)
}

/** Deploys the application to a platform. Returns the folder of the deployment. */
export function deployed(target: Platform | 'lambda'): string {
  const entry = join(copyPrograms(join(own, 'programs'), 'framework', kinds), 'application.mjs')
  const out = join(own, target)
  framework('deploy', entry, '--target', target, '--out', out)
  return out
}

/** Prepares the contestants in the order of the table. The first one is a plain handler. */
export async function prepareContestants(platform: Platform): Promise<readonly Contestant[]> {
  const peers = peerPrograms()
  const peer = async (name: string, program: string): Promise<Contestant> => ({
    name,
    start: await starter(platform, peers, program),
  })
  const folder = deployed(platform)
  const start = (): Promise<Serving> =>
    platform === 'workerd' ? serveConfig(folder, 'config.capnp') : run(platform, folder, 'index.js')
  return [
    await peer('raw', 'raw'),
    { name: 'floor', start: await starter(platform, join(own, 'programs'), 'floor') },
    await peer('hono', 'hono-application'),
    ...(platform === 'bun' ? [await peer('elysia', 'elysia')] : []),
    await peer('fastify 5', 'application'),
    { name: 'framework', start },
  ]
}

/** The statements that serve the default export of a program. */
const mains: Readonly<Record<Platform | 'fastify' | 'elysia' | 'fastify in workerd', string>> = {
  bun: `const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
console.log('127.0.0.1:' + server.port)`,
  deno: `Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, (request) => app.fetch(request))
function onListen({ port }) { console.log('127.0.0.1:' + port) }`,
  workerd: 'export default { fetch: (request) => app.fetch(request) }',
  elysia: `app.listen({ port: 0, hostname: '127.0.0.1' })
console.log('127.0.0.1:' + app.server.port)`,
  fastify: `console.log(await app.listen({ port: 0, host: '127.0.0.1' }))`,
  'fastify in workerd': `import { httpServerHandler } from 'cloudflare:node'
await app.ready()
app.server.listen(8080)
export default httpServerHandler({ port: 8080 })`,
}

async function starter(
  platform: Platform,
  folder: string,
  program: string,
): Promise<() => Promise<Serving>> {
  const isFastify = program === 'application'
  const main = isFastify
    ? mains[platform === 'workerd' ? 'fastify in workerd' : 'fastify']
    : mains[program === 'elysia' ? 'elysia' : platform]
  const source = `import app from './${program}.mjs'\n${main}\n`
  if (platform !== 'workerd' && program !== 'floor') {
    const file = `${program}.${platform}.mjs`
    writeFileSync(join(folder, file), source)
    return () => run(platform, folder, file)
  }
  const text = await bundleWorker(source, { folder, minify: true, instead: insteadIn(folder) })
  if (platform !== 'workerd') {
    writeFileSync(join(folder, `floor.${platform}.mjs`), text)
    return () => run(platform, folder, `floor.${platform}.mjs`)
  }
  // Fastify generates code while it starts.
  const options = { compatibility: { date: '2026-11-17', flags: [] } }
  return () => serveWorker(text, isFastify ? options : undefined)
}

/** Gives the factories of a bundle options that the application doesn't set. */
function insteadIn(folder: string): Record<string, string> {
  if (!folder.startsWith(own)) {
    // workerd forbids timers at the start.
    const main = join(folder, '../node_modules/fastify/fastify.js')
    return { fastify: factorySource(main, '{ pluginTimeout: 0 }') }
  }
  const out = join(folder, '.framework')
  framework('build', join(folder, 'application.mjs'), '--out', out)
  return { framework: withArtifact(out) }
}

async function run(platform: 'bun' | 'deno', cwd: string, file: string): Promise<Serving> {
  const [command, args] =
    platform === 'bun'
      ? [bunBinary(), [file]]
      : [denoBinary(), ['run', '--allow-all', '--quiet', file]]
  const { child, port, stop } = await startServer(command, args, { cwd })
  return { port, pid: child.pid as number, stop }
}
