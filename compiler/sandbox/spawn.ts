/** Starts the sandbox in the folder of the application's package. Node's permission model only lets it read files. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { ownConditions } from '../util/node-conditions.ts'

/** Limits the CPU seconds of the sandbox even if this process dies, and turns core dumps off. */
const shell = '/bin/sh'
const limits = 'ulimit -t 600; ulimit -c 0; exec "$0" "$@"'

export interface SandboxedProgram {
  /** URL of the program. */
  readonly program: URL
  readonly args: readonly string[]
  /** The folder that it runs in. */
  readonly root: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdio?: StdioOptions
  /** Lets Node start its thread for module hooks. The program must deny threads to other code. */
  readonly allowsThreads?: boolean
}

/** Starts a program that sees neither the environment nor the terminal, unless `env` says so. */
export function spawnSandbox({
  program,
  args,
  root,
  env = {},
  // The last one is for messages.
  stdio = ['ignore', 'ignore', 'pipe', 'pipe'],
  allowsThreads = false,
}: SandboxedProgram): ChildProcess {
  const threads = allowsThreads ? ['--allow-worker'] : []
  const more = [...threads, ...ownConditions(root).map((name) => `--conditions=${name}`)]
  const node = [process.execPath, ...flags(), ...more, fileURLToPath(program), ...args]
  const [command = '', ...rest] = existsSync(shell) ? [shell, '-c', limits, ...node] : node
  return spawn(command, rest, {
    cwd: root,
    env,
    stdio,
    windowsHide: true,
  })
}

function flags(): string[] {
  const allowed = process.allowedNodeEnvironmentFlags
  const isPosix = process.platform !== 'win32'
  return [
    allowed.has('--permission') ? '--permission' : '--experimental-permission',
    ...readablePaths().map((path) => `--allow-fs-read=${path}`),
    // SQLite would bypass the permission model.
    ...['--no-experimental-sqlite'].filter((flag) => allowed.has(flag)),
    '--no-warnings',
    // As much memory and stack as a worker thread would have: 4 MB of stack, of which Node reserves 192 KB.
    `--max-old-space-size=${Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 20)}`,
    ...(isPosix ? ['--stack-size=3900'] : []),
  ]
}

/**
 * Everything but `/proc`, which shows the environment of other processes, such as the build. It's also reachable by links of `/dev`.
 * Tools look for the last four in every folder upwards, and expect them to be missing, not denied.
 */
function readablePaths(): string[] {
  if (!existsSync('/proc')) return ['*']
  const hidden = ['proc', 'dev']
  const folders = readdirSync('/').filter((name) => !hidden.includes(name))
  const devices = ['null', 'random', 'shm', 'urandom', 'zero'].map((name) => `dev/${name}`)
  return [...folders, ...devices, '.*', 'node_modules/*', 'package.json', 'tsconfig.json'].map(
    (path) => `/${path}`,
  )
}
