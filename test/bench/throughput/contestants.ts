/** The contestants: the programs of `contestants/`, each where it finds its packages. */
import { join } from 'node:path'
import { copyPrograms, framework, peerFolder, root } from '../prepare.ts'
import type { Row } from './rows.ts'

type Program = Row['program']

export interface Contestant {
  readonly name: string
  /** The module that serves a program. */
  readonly modules: Readonly<Record<Program, string>>
  readonly flagsOf: (program: Program) => readonly string[]
}

const programs: readonly Program[] = ['application', 'logging']

/** In the order of the table. The plugins are those of the newest Fastify 5. */
export function prepareContestants(): readonly Contestant[] {
  const own = join(root, 'dist/bench/throughput')
  const peers = peerFolder('throughput')
  const copy = (folder: string, name: string): string => copyPrograms(folder, name, ['throughput'])
  const ours = copy(join(own, 'framework'), 'framework')
  return [
    contestant('raw', copy(join(own, 'raw'), 'framework'), 'raw', 'raw-logging'),
    contestant('fastify 4', copy(join(own, 'fastify-4'), 'fastify')),
    contestant('fastify 5', copy(join(peers, 'bench'), 'fastify')),
    contestant('hono', join(peers, 'bench'), 'hono', 'hono-logging'),
    { ...contestant('framework', ours), flagsOf: build(ours) },
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

/** Builds an artifact for each program; gives the flags of Node that use it. */
function build(folder: string): Contestant['flagsOf'] {
  const outOf = (program: Program): string => join(folder, '.framework', program)
  for (const program of programs) {
    framework('build', join(folder, `${program}.mjs`), '--out', outOf(program))
  }
  return (program) => [
    '--disallow-code-generation-from-strings',
    '--import',
    join(outOf(program), 'register.js'),
  ]
}
