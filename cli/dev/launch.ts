/** Two ways to run an application: by Node itself, or by a command of the user's. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ApplicationStart } from '../../compiler/model.ts'
import type { Preloads } from '../preloads.ts'
import { quoted } from '../shell.ts'
import type { TakenPort } from './taken-port.ts'
import { isTakenMessage } from './taken-port.ts'

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
  /** Resolves when it gets no more connections; those that it has stay. */
  release(): Promise<unknown>
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Whether the next process can be started while the last one still listens. */
export function canOverlap({ exec, nodeFlags }: Program): boolean {
  // Two inspectors cannot have one port.
  return exec === undefined && !nodeFlags.some((flag) => flag.startsWith('--inspect'))
}

export function launch(program: Program): Run {
  const { entry, start, exec } = program
  const startsItself = start.kind === 'itself'
  const main = startsItself ? entry : file('main.js')
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
        if (isTakenMessage(message)) then(message.taken)
      })
    },
    release() {
      if (!worker.isConnected()) return Promise.resolve()
      const released = new Promise((resolve) => worker.once('disconnect', resolve))
      // Without this a connection that is on its way to the worker when it ends would be lost.
      worker.disconnect()
      return released
    },
  }
}

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
    release: () => Promise.resolve(),
  }
}

function preloadsOf({ preloads }: Program): readonly string[] {
  return [
    pathToFileURL(file('preload.js')).href,
    ...preloads.packages.map((name) => import.meta.resolve(name)),
    pathToFileURL(preloads.file).href,
  ]
}

function urlOf(address: string | null, port: number): string {
  const host = address === null || address === '::' || address === '0.0.0.0' ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
