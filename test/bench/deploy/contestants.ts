/** The contestants, by the application that they serve. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateApplication, mainSource, rawSource, sampleRequest } from '../application.ts'
import { framework, peerFolder, root, writeFile as write } from '../prepare.ts'
import type { SampleRequest } from '../sample-request.ts'
import { type Contestant, nodeContestant } from '../startup.ts'
import { bundlePeer, cachePeer } from './peers.ts'
import { honoSource } from './sources.ts'

/** A number of routes, or the application of fixtures/deploy/office. */
export type Workload = number | 'realistic'

export interface Race {
  readonly request: SampleRequest
  /** The bare server first. */
  readonly contestants: readonly Contestant[]
}

/** A Node.js, by its major. */
export interface NodeRelease {
  readonly major: string
  readonly binary: string
}

const officeSource = join(root, 'fixtures/deploy/office')

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

/** Makes what is measured. `wants` says which contestants. */
export async function prepare(
  workload: Workload,
  node: NodeRelease,
  wants: (name: string) => boolean,
): Promise<Race> {
  const folder = join(root, 'dist/bench/deploy', String(workload))
  mkdirSync(folder, { recursive: true })
  const request = workload === 'realistic' ? officeRequest : sampleRequest
  const raw = write(join(folder, 'raw.cjs'), rawSource(request))
  const makers = workload === 'realistic' ? office(folder) : generated(folder, workload)
  const contestants = [nodeContestant('raw node:http', [raw], node.binary)]
  for (const [name, make] of Object.entries(makers)) {
    if (wants(name)) contestants.push(nodeContestant(name, await make(node), node.binary))
  }
  return { request, contestants }
}

/** Gives the arguments of Node. */
type Maker = (node: NodeRelease) => readonly string[] | Promise<readonly string[]>

function generated(folder: string, count: number): Readonly<Record<string, Maker>> {
  const { entry } = generateApplication(folder, count, 'literal')
  const inPeers = join(peerFolder('deploy'), 'bench', String(count))
  mkdirSync(inPeers, { recursive: true })
  return {
    ...ours(folder, entry),
    'fastify 4.21, bundled': async () => [
      await bundlePeer(write(join(folder, 'fastify.main.mjs'), mainSource('./fastify.app.mjs'))),
    ],
    'fastify 5, bundled': async () => {
      cpSync(join(folder, 'fastify.app.mjs'), join(inPeers, 'fastify.app.mjs'))
      return [
        await bundlePeer(write(join(inPeers, 'fastify.main.mjs'), mainSource('./fastify.app.mjs'))),
      ]
    },
    'hono with typebox, bundled': async () => [
      await bundlePeer(write(join(inPeers, 'hono.mjs'), honoSource(count))),
    ],
    'hono with typebox, bundled, with a compile cache': async ({ binary }) => [
      await cachePeer(
        await bundlePeer(write(join(inPeers, 'hono.mjs'), honoSource(count))),
        binary,
        sampleRequest,
      ),
    ],
  }
}

function office(folder: string): Readonly<Record<string, Maker>> {
  const copyOf = (name: string): string => {
    const copy = join(folder, name)
    rmSync(copy, { recursive: true, force: true })
    cpSync(officeSource, copy, { recursive: true })
    return copy
  }
  const own = copyOf('framework')
  const app = join(own, 'app.mjs')
  write(app, readFileSync(app, 'utf8').replace("from 'fastify'", "from 'framework'"))
  const other = copyOf('fastify')
  const main = write(join(other, 'main.mjs'), mainSource('./app.mjs'))
  return {
    ...ours(own, app),
    'fastify 4.21': () => [main],
    'fastify 4.21, bundled': async () => [await bundlePeer(main)],
  }
}

/** The contestants of this project. */
function ours(folder: string, entry: string): Readonly<Record<string, Maker>> {
  const name = entry.slice(folder.length + 1)
  return {
    framework: () => {
      const out = join(folder, '.framework')
      framework('build', entry, '--out', out)
      const main = write(join(folder, 'framework.main.mjs'), mainSource(`./${name}`))
      return ['--import', join(out, 'register.js'), main]
    },
    'framework, deployed': () => [deploy(folder, entry, 'bundle')],
    'framework, deployed with --keep-schemas': () => [
      deploy(folder, entry, 'kept', '--keep-schemas'),
    ],
    'framework, deployed with its compile cache': ({ binary }) => [
      deploy(folder, entry, 'compile-cache', '--compile-cache', '--node', binary),
    ],
  }
}

/** @returns the folder */
function deploy(
  folder: string,
  entry: string,
  kind: string,
  ...options: readonly string[]
): string {
  const out = join(folder, 'deployed', kind)
  framework('deploy', entry, '--target', 'node', '--out', out, ...options)
  return out
}
