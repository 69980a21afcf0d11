/** Runs programs that last until they are ended, such as `framework dev`, on a pipe or a pseudo-terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandFile } from './command-file.ts'
import { type Lasting } from './folders.ts'

/** How long anything may take on a busy machine, in ms. */
const TIMEOUT = 60_000

export interface LastingCommand {
  readonly output: string
  /** Resolves when `pattern` is printed after the previous match. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  press(key: string): void
  signal(signal: NodeJS.Signals): void
  ended(): Promise<number | null>
}

export interface CommandOptions {
  readonly folder: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly terminal?: boolean
}

export function startCommand(t: Lasting, options: CommandOptions): LastingCommand {
  return startProgram(t, { ...options, args: [commandFile, ...options.args] })
}

/** Starts Node with these arguments. */
export function startProgram(
  t: Lasting,
  { folder, args, env = {}, terminal = false }: CommandOptions,
): LastingCommand {
  const line = [process.execPath, ...args]
  const [program, ...rest] = terminal
    ? ['script', '-qec', line.map((one) => `'${one}'`).join(' '), '/dev/null']
    : line
  const child: ChildProcess = spawn(program as string, rest, {
    cwd: folder,
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NO_COLOR: '1',
      TERM: 'xterm',
      ...env,
    },
  })
  const exit = once(child, 'exit') as Promise<[number | null]>
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exit
  })
  let output = ''
  let seen = 0
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  return {
    get output() {
      return output
    },
    async until(pattern) {
      const end = Date.now() + TIMEOUT
      while (Date.now() < end) {
        const found = pattern.exec(output.slice(seen))
        if (found !== null) {
          seen += found.index + found[0].length
          return found
        }
        if (child.exitCode !== null) break
        await sleep(10)
      }
      throw new Error(
        `${pattern} was not printed:\n${output.slice(seen)}\nbefore:\n${output.slice(0, seen)}`,
      )
    },
    press: (key) => child.stdin?.write(key),
    signal: (signal) => child.kill(signal),
    ended: async () => (await exit)[0],
  }
}
