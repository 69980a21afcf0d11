/** The contestants: the programs of `contestants/`, each where it finds its packages. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce } from '../../conformance/install.ts'
import { packages } from '../deploy/peers.ts'
import type { Row } from './rows.ts'
import { commandFile } from '../../support/command-file.ts'

type Program = Row['program']

export interface Contestant {
  readonly name: string
  /** The module that serves a program. */
  readonly modules: Readonly<Record<Program, string>>
  readonly flagsOf: (program: Program) => readonly string[]
}

const dist = fileURLToPath(new URL('../../..', import.meta.url))
const sources = join(dist, '../test/bench/throughput/contestants')
const programs: readonly Program[] = ['application', 'logging']

/** In the order of the table. The plugins are those of the newest Fastify 5. */
export function prepareContestants(): readonly Contestant[] {
  const own = join(dist, 'bench/throughput')
  const peers = join(process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache'), 'throughput')
  const plugins = { '@fastify/bearer-auth': '^10.1.1', '@fastify/cookie': '^11.0.2' }
  installOnce(peers, { dependencies: { ...packages, ...plugins } }, () => {})
  const framework = copy(join(own, 'framework'), 'framework')
  return [
    contestant('raw', copy(join(own, 'raw'), 'framework'), 'raw', 'raw-logging'),
    contestant('fastify 4', copy(join(own, 'fastify-4'), 'fastify')),
    contestant('fastify 5', copy(join(peers, 'bench'), 'fastify')),
    contestant('hono', join(peers, 'bench'), 'hono', 'hono-logging'),
    { ...contestant('framework', framework), flagsOf: build(framework) },
  ]
}

function contestant(
  name: string,
  folder: string,
  application = 'application',
  logging = 'logging',
): Contestant {
  const modules = {
    application: join(folder, `${application}.mjs`),
    logging: join(folder, `${logging}.mjs`),
  }
  return { name, modules, flagsOf: () => [] }
}

/** Copies all programs to a folder, where they import the framework by that name. */
function copy(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(sources, folder, { recursive: true })
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.mjs'))) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace("from 'framework'", `from '${name}'`))
  }
  return folder
}

/** Builds an artifact for each program; gives the flags of Node that use it. */
function build(folder: string): Contestant['flagsOf'] {
  const outOf = (program: Program): string => join(folder, '.framework', program)
  for (const program of programs) {
    const entry = join(folder, `${program}.mjs`)
    const command = [commandFile, 'build', entry, '--out', outOf(program)]
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`framework build failed:\n${stdout}${stderr}`)
  }
  return (program) => [
    '--disallow-code-generation-from-strings',
    '--import',
    join(outOf(program), 'register.js'),
  ]
}
