/** Two ways to run an application: by Node itself, or by a command of the user's. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ApplicationStart } from '../../compiler/model/index.ts'
import type { Preloads } from '../preloads.ts'
import { quoted } from '../shell.ts'
import { isMessage } from './messages.ts'
import type { TakenPort } from './taken-port.ts'

export interface Program {
  /** The file of the application. Absolute. */
  readonly entry: string
  readonly start: ApplicationStart
  readonly preloads: Preloads
  /** What runs the entry in place of Node. */
  readonly exec: string | undefined
  readonly nodeFlags: readonly string[]
  /** Of the application. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** A process that runs an application. */
export interface Run {
  readonly process: ChildProcess
  /** Called whenever it listens somewhere; never where that cannot be seen. */
  onListening(then: (url: string, port: number | undefined) => void): void
  /** Called when somebody else listens where it wants to; never where that cannot be seen. */
  onTaken(then: (port: TakenPort) => void): void
  /** Lets it go on with the connections that it has, and gives it no more. */
  release(): Release
}

export interface Release {
  /** Resolves when the next process gets all that is asked from now on. */
  readonly done: Promise<unknown>
  /** Resolves when the last connection is over. */
  readonly drained: Promise<unknown>
}

/** Whether the next process can be started while the last one still listens. */
export function canOverlap({ exec, nodeFlags }: Program): boolean {
  // Two inspectors cannot have one port.
  return exec === undefined && !nodeFlags.some((flag) => flag.startsWith('--inspect'))
}

export function launch(program: Program): Run {
  const { entry, start, exec } = program
  const startsItself = start.kind === 'itself'
  const main = startsItself ? entry : fileURLToPath(new URL('./main.js', import.meta.url))
  const env = {
    ...program.env,
    ...(!startsItself && { FRAMEWORK_DEV: JSON.stringify({ file: entry, start }) }),
  }
  return exec === undefined ? byNode(program, main, env) : byCommand(program, exec, main, env)
}

/** As workers of a cluster: they share what they listen to, so that one takes over from the other. */
function byNode(program: Program, main: string, env: NodeJS.ProcessEnv): Run {
  cluster.setupPrimary({
    exec: main,
    args: [...program.args],
    execArgv: [...preloadsOf(program).flatMap((url) => ['--import', url]), ...program.nodeFlags],
    // Keys that are pressed are for the command.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const worker = cluster.fork(env)
  return {
    process: worker.process,
    onListening: (then) => {
      worker.on('listening', ({ address, port }) => then(urlOf(address, port), port ?? undefined))
    },
    onTaken: (then) => {
      worker.on('message', (message) => {
        if (isMessage('taken', message)) then(message.taken)
      })
    },
    release() {
      if (!worker.isConnected()) return RELEASED
      const drained = new Promise<void>((resolve) => worker.once('disconnect', resolve))
      const told = new Promise<void>((resolve) => {
        worker.on('message', (message) => {
          if (isMessage('released', message)) resolve()
        })
      })
      // Without this a connection that is on its way to the worker when it ends would be lost.
      worker.disconnect()
      return { done: Promise.race([told.then(() => sleep(HEARING)), drained]), drained }
    },
  }
}

/** How long those that keep a connection get to hear that it is closed, before they are told to ask again. Milliseconds. */
const HEARING = 20

const RELEASED: Release = { done: Promise.resolve(), drained: Promise.resolve() }

function byCommand(program: Program, exec: string, main: string, env: NodeJS.ProcessEnv): Run {
  const imports = preloadsOf(program).map((url) => `--import=${JSON.stringify(url)}`)
  const flags = [env['NODE_OPTIONS'], ...imports, ...program.nodeFlags]
  return {
    process: spawn([exec, ...[main, ...program.args].map(quoted)].join(' '), {
      shell: true,
      // The shell, what it runs and what that runs are one group, and end together.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...env, NODE_OPTIONS: flags.filter(Boolean).join(' ') },
    }),
    onListening: () => undefined,
    onTaken: () => undefined,
    release: () => RELEASED,
  }
}

function preloadsOf({ preloads }: Program): readonly string[] {
  return [
    new URL('./preload.js', import.meta.url).href,
    ...preloads.packages.map((name) => import.meta.resolve(name)),
    pathToFileURL(preloads.file).href,
  ]
}

function urlOf(address: string | null, port: number): string {
  const host = address === null || address === '::' || address === '0.0.0.0' ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
