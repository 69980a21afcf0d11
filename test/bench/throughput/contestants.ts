/** Prepares the contestants of a platform: servers from the programs of `contestants/`, copied to where they find their packages. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorker } from '../../support/bundle-worker.ts'
import { startServer } from '../../support/start-server.ts'
import { serveConfig, serveWorker, type Workerd } from '../../support/workerd.ts'
import { bunBinary, denoBinary } from '../../targets/installed.ts'
import { root } from '../../support/root.ts'
import { factorySource, frameworkOf, peerFolder, writeFile } from '../prepare.ts'

export type Platform = 'node' | 'bun' | 'deno' | 'workerd'
type Env = Readonly<Record<string, string>>

export interface Serving {
  readonly port: number
  readonly pid: number
  stop(): Promise<unknown>
}

export interface Contestant {
  readonly name: string
  start(env?: Env): Promise<Serving>
}

/**
 * Size of each half of V8's young generation, in MB: what it grows to after some hundred thousand requests. Until then, a
 * contestant that allocates more while it starts would have an advantage.
 */
const semiSpace = 16

/** Folder in a checkout. */
const own = 'dist/bench/throughput'

/** Prepares the contestants in the order of the table. The first one is a handler of the platform. */
export async function prepareContestants(
  platform: Platform,
  node: string,
): Promise<readonly Contestant[]> {
  const peers = peerPrograms()
  const peer = (name: string, program: string, main: Main): Promise<Contestant> =>
    serving(platform, node, name, peers, program, main)
  const raw = platform === 'node' ? peer('raw', 'raw', 'node') : peer('raw', 'raw-web', platform)
  const others = [
    peer('hono', 'hono-application', platform === 'node' ? 'hono on node' : platform),
    ...(platform === 'bun' ? [peer('elysia', 'elysia', 'elysia')] : []),
    peer('fastify 5', 'application', platform === 'workerd' ? 'fastify in workerd' : 'fastify'),
  ]
  if (platform !== 'node') return Promise.all([raw, ...others, ours(platform, node)])
  const fastify4 = copyPrograms(join(root, own, 'fastify-4'), 'fastify')
  return Promise.all([
    raw,
    serving('node', node, 'fastify 4', fastify4, 'application', 'fastify'),
    ...others,
    ours('node', node),
  ])
}

/**
 * Builds or deploys the application with the framework of a folder.
 *
 * @param checkout the root of a checkout of this repository
 */
export async function ours(
  platform: Platform,
  node: string,
  checkout: string = root,
): Promise<Contestant> {
  const name = 'framework'
  if (platform !== 'node') {
    const folder = deployed(platform, checkout)
    const start = (): Promise<Serving> =>
      platform === 'workerd'
        ? serveConfig(folder, 'config.capnp')
        : run(platform, node, folder, 'index.js')
    return { name, start }
  }
  const folder = copyPrograms(join(checkout, own, name), name)
  const out = join(folder, '.framework')
  frameworkOf(checkout, 'build', join(folder, 'application.mjs'), '--out', out)
  const flags = ['--disallow-code-generation-from-strings', '--import', join(out, 'register.js')]
  return serving('node', node, name, folder, 'application', 'fastify', flags)
}

/** Installs the peers. Returns the folder of the programs, where these find their packages. */
export function peerPrograms(): string {
  return copyPrograms(join(peerFolder('throughput'), 'bench'), 'fastify')
}

/** Deploys the application to a platform, with the framework of a checkout. Returns the folder of the deployment. */
export function deployed(target: Platform | 'lambda', checkout: string = root): string {
  const folder = join(checkout, own)
  const entry = join(copyPrograms(join(folder, 'programs'), 'framework'), 'application.mjs')
  const out = join(folder, target)
  frameworkOf(checkout, 'deploy', entry, '--target', target, '--out', out)
  return out
}

/** Copies the programs to a folder, where they import the framework by that name. */
function copyPrograms(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'test/bench/throughput/contestants'), folder, { recursive: true })
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.mjs'))) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFile(join(folder, file), text.replace("from 'framework'", `from '${name}'`))
  }
  return folder
}

// Fastify's default. With Node's five seconds, connections would close while a server waits for its turn.
const listens = (server: string): string => `${server}.keepAliveTimeout = 72_000
${server}.listen(0, '127.0.0.1', () => console.log('127.0.0.1:' + ${server}.address().port))`

/** The statements that serve the default export of a program. */
const mains = {
  node: listens('app'),
  'hono on node': `import { createAdaptorServer } from '@hono/node-server'
const server = createAdaptorServer({ fetch: app.fetch })
${listens('server')}`,
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
} as const
type Main = keyof typeof mains

async function serving(
  platform: Platform,
  node: string,
  name: string,
  folder: string,
  program: string,
  main: Main,
  flags: readonly string[] = [],
): Promise<Contestant> {
  const source = `import app from './${program}.mjs'\n${mains[main]}\n`
  if (platform !== 'workerd') {
    const file = `${program}.${platform}.mjs`
    writeFile(join(folder, file), source)
    return { name, start: (env) => run(platform, node, folder, file, flags, env) }
  }
  // workerd forbids timers at the start, and Fastify generates code.
  const fastify = factorySource(
    join(folder, '../node_modules/fastify/fastify.js'),
    '{ pluginTimeout: 0 }',
  )
  const text = await bundleWorker(source, { folder, minify: true, instead: { fastify } })
  const options = { compatibility: { date: '2026-11-17', flags: [] } }
  const isFastify = main === 'fastify in workerd'
  return { name, start: (): Promise<Workerd> => serveWorker(text, isFastify ? options : undefined) }
}

async function run(
  platform: Exclude<Platform, 'workerd'>,
  node: string,
  cwd: string,
  file: string,
  flags: readonly string[] = [],
  env: Env = {},
): Promise<Serving> {
  const commands = {
    node: () => [node, `--min-semi-space-size=${semiSpace}`, ...flags, file],
    bun: () => [bunBinary(), file],
    deno: () => [denoBinary(), 'run', '--allow-all', '--quiet', file],
  }
  const [command = '', ...args] = commands[platform]()
  const options = { cwd, env: { ...process.env, NODE_ENV: 'production', ...env } }
  const { child, port, stop } = await startServer(command, args, options)
  return { port, pid: child.pid as number, stop: () => stop('SIGKILL') }
}
