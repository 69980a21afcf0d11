/** Starts programs that serve and print their port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Server {
  readonly child: ChildProcess
  readonly port: number
  output(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface ServerOptions {
  readonly cwd?: string
  /** By default that of this process. */
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number | undefined
  /** Starts a process group, which can be killed as a whole. */
  readonly detached?: boolean
  /** Matches the output that contains the port. */
  readonly pattern?: RegExp
}

/** Starts a program on a free port. Rejects with its output if it exits before it listens. */
export async function startServer(
  command: string,
  args: readonly string[],
  {
    cwd,
    env = { ...process.env, NODE_ENV: 'production' },
    uid,
    detached = false,
    pattern = /(?:127\.0\.0\.1:|Open at )(\d+)/,
  }: ServerOptions = {},
): Promise<Server> {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    ...(uid !== undefined && { uid }),
    env: { ...env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  const kill = (): void =>
    void (detached ? process.kill(-(child.pid as number), 'SIGKILL') : child.kill('SIGKILL'))
  process.once('exit', kill)
  const closed = once(child, 'close').then(([code]) => {
    process.removeListener('exit', kill)
    return code as number | null
  })
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        const [, found] = pattern.exec(output) ?? []
        if (found !== undefined) resolve(Number(found))
      })
    }
    child.once('error', reject)
    closed.then((code) => reject(new Error(`exited with ${code}\n${output}`)), reject)
  })
  return {
    child,
    port,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return closed
    },
  }
}

export interface FolderOptions {
  readonly node?: string
  readonly flags?: readonly string[]
  readonly uid?: number | undefined
}

/** Starts a deployment for Node, by default with code generation refused. */
export function startFolder(
  folder: string,
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
  {
    node = process.execPath,
    flags = ['--disallow-code-generation-from-strings'],
    uid,
  }: FolderOptions = {},
): Promise<Server> {
  const env = { ...process.env, NODE_ENV: 'production', ...variables }
  return startServer(node, [...flags, folder], { cwd, env, uid })
}

/** Calls `use` with the URL of a server, then kills it. */
export async function withServer<T>(
  started: Promise<Server>,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const { port, child } = await started
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    child.kill()
  }
}

export function postJson(url: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', body, headers })
}
