/** Who is measured: the same application in a Worker of each. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorker } from '../../support/bundle-worker.ts'
import type { WorkerOptions } from '../../support/workerd.ts'
import { generateApplication, type Style } from '../cold-start/application.ts'

export interface Contestant {
  readonly name: string
  /** The module that workerd serves. */
  readonly source: string
  readonly options?: WorkerOptions
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
  return [
    { name: 'a plain handler', source: rawSource },
    {
      name: 'fastify 4.21',
      source: await bundleWorker(fastifySource, {
        folder,
        minify: true,
        instead: { fastify: factorySource(fastifyMain, '{ pluginTimeout: 0 }') },
      }),
      // It generates code while it starts, which workerd then must allow.
      options: { compatibility: { date: '2026-11-17', flags: [] } },
    },
    {
      name: 'framework',
      source: await bundleWorker(frameworkSource, {
        folder,
        minify: true,
        instead: {
          framework: `import artifact from ${JSON.stringify(join(out, 'worker.mjs'))}
${factorySource(join(dist, 'package/index.js'), '{ aot: { artifact } }')}`,
        },
      }),
    },
    {
      name: 'framework, deployed',
      source: readFileSync(join(deployed, 'index.js'), 'utf8'),
    },
  ]
}

function framework(...args: readonly string[]): void {
  const command = [join(dist, 'cli/main.js'), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`framework ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

/** The factory with options that the application does not give. */
function factorySource(file: string, options: string): string {
  return `import factory from ${JSON.stringify(file)}
export default (given) => factory({ ...given, ...${options} })
`
}
