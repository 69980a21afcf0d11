/** Runs an application: as a cluster worker of Node, or by the user's own command. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ApplicationStart } from '../../compiler/model/index.ts'
import type { Preloads } from '../preloads.ts'
import { quoted } from '../shell.ts'
import type { Launch } from './main.ts'
import type { Message, TakenPort } from './ports.ts'

export interface Program {
  /** Absolute path of the application's entry. */
  readonly entry: string
  readonly start: ApplicationStart
  /** The package that a plugin is registered with. */
  readonly server: Launch['server']
  readonly preloads: Preloads
  /** A command that runs the entry instead of Node. */
  readonly exec: string | undefined
  readonly nodeFlags: readonly string[]
  /** Arguments for the application. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Events of a process. The user's own command emits none. */
export interface RunEvents {
  /** Called for each URL, or path of a Unix socket, that the application listens at. */
  onListening(url: string, port: number | undefined): void
  /** Called if a port is in use. */
  onTaken(port: TakenPort): void
}

/** A process that runs an application. */
export interface Run {
  readonly process: ChildProcess
  /** Lets the process finish its connections, and sends it no new ones. */
  release(): Release
}

export interface Release {
  /** Resolves when the next process receives all new connections. */
  readonly done: Promise<unknown>
  /** Resolves when the last connection is closed. */
  readonly drained: Promise<unknown>
}

/** Returns whether the next process can start while the old one still listens. */
export function canOverlap({ exec, nodeFlags }: Program): boolean {
  // Each process has its inspector at the same port.
  return exec === undefined && !nodeFlags.some((flag) => flag.startsWith('--inspect'))
}

export function launch(program: Program, events: RunEvents): Run {
  const { entry, start, server, exec } = program
  const startsItself = start.kind === 'itself'
  const main = startsItself ? entry : fileURLToPath(new URL('./main.js', import.meta.url))
  const env = {
    ...program.env,
    ...(!startsItself && { FRAMEWORK_DEV: JSON.stringify({ file: entry, start, server }) }),
  }
  return exec === undefined
    ? runWithNode(program, main, env, events)
    : runCommand(program, exec, main, env)
}

/** Node's default. */
const INSPECT_PORT = 9229

/** Starts a cluster worker. Workers share the listening socket, so a new one can take over without losing connections. */
function runWithNode(
  program: Program,
  main: string,
  env: NodeJS.ProcessEnv,
  { onListening, onTaken }: RunEvents,
): Run {
  cluster.setupPrimary({
    exec: main,
    args: [...program.args],
    execArgv: [...preloadsOf(program).flatMap((url) => ['--import', url]), ...program.nodeFlags],
    // The keyboard belongs to `framework dev`.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Otherwise each worker gets another port, which a debugger would have to find.
    inspectPort: INSPECT_PORT,
  })
  const worker = cluster.fork(env)
  worker.on('listening', ({ address, addressType, port }) => {
    const isSocketFile = addressType === -1
    if (isSocketFile) onListening(address, undefined)
    else onListening(urlOf(address, port), port)
  })
  worker.on('message', (message) => {
    const taken = messageOf(message)
    if (typeof taken === 'object') onTaken(taken)
  })
  return {
    process: worker.process,
    release() {
      if (!worker.isConnected()) return RELEASED
      const drained = new Promise<void>((resolve) => worker.once('disconnect', resolve))
      const released = new Promise<void>((resolve) => {
        worker.on('message', (message) => {
          if (messageOf(message) === 'released') resolve()
        })
      })
      // Without this, a connection on its way to the worker would be lost when the worker ends.
      worker.disconnect()
      return { done: Promise.race([released.then(() => sleep(NOTICE_TIME)), drained]), drained }
    },
  }
}

/** Returns undefined for a message of the application itself. */
function messageOf(message: unknown): Message['frameworkDev'] | undefined {
  return (message as Partial<Message> | null)?.frameworkDev
}

/** How long clients with open connections get to notice that these are closed, in ms. */
const NOTICE_TIME = 20

const RELEASED: Release = { done: Promise.resolve(), drained: Promise.resolve() }

function runCommand(program: Program, exec: string, main: string, env: NodeJS.ProcessEnv): Run {
  const imports = preloadsOf(program).map((url) => `--import=${JSON.stringify(url)}`)
  const flags = [env['NODE_OPTIONS'], ...imports, ...program.nodeFlags]
  return {
    process: spawn([exec, ...[main, ...program.args].map(quoted)].join(' '), {
      shell: true,
      // A process group of its own lets us end the shell together with everything that it started.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...withPrograms(env, program.entry), NODE_OPTIONS: flags.filter(Boolean).join(' ') },
    }),
    release: () => RELEASED,
  }
}

/** Lets a command name programs of the project without a path, as scripts of package.json do. */
function withPrograms(env: NodeJS.ProcessEnv, entry: string): NodeJS.ProcessEnv {
  const folders: string[] = []
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder))
    folders.push(join(folder, 'node_modules', '.bin'))
  const name = Object.keys(env).find((one) => one.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...env, [name]: [...folders, env[name]].join(delimiter) }
}

function preloadsOf({ preloads }: Program): readonly string[] {
  return [
    new URL('./preload.js', import.meta.url).href,
    ...preloads.packages.map((name) => import.meta.resolve(name)),
    pathToFileURL(preloads.file).href,
  ]
}

function urlOf(address: string | null, port: number): string {
  if (address === null || address === '::' || address === '0.0.0.0')
    return `http://localhost:${port} (on all interfaces)`
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
