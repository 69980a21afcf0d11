/** A shell that is kept: folders, variables and jobs are available to the next command. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ran {
  readonly output: string
  readonly status: number
}

export interface Shell {
  /** Runs a command; returns its output, and how it ends. */
  run(command: string): Promise<Ran>
  /** Ends the shell and its jobs. */
  end(): Promise<void>
}

const MARK = '--- done'

export function startShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  // A group of its own, so that all of it can be ended.
  const child = spawn('bash', ['--norc', '--noprofile'], { cwd: folder, env, detached: true })
  const ended = once(child, 'exit')
  let output = ''
  let notice: (() => void) | undefined
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString()
      notice?.()
    })
  }
  // Jobs have numbers, and commands don't read the input of the shell.
  child.stdin.write('set -m\n')
  return {
    async run(command) {
      output = ''
      child.stdin.write(`{ ${command}\n} 2>&1 </dev/null; printf '\\n${MARK} %s\\n' $?\n`)
      for (;;) {
        const end = new RegExp(`\\n${MARK} (\\d+)\\n`).exec(output)
        if (end !== null)
          return { output: output.slice(0, end.index).trim(), status: Number(end[1]) }
        await Promise.race([new Promise<void>((resolve) => (notice = resolve)), gone()])
      }
    },
    async end() {
      child.stdin.end('for job in $(jobs -p); do kill -- -$job; done; exit\n')
      await ended
    },
  }

  async function gone(): Promise<never> {
    await ended
    throw new Error(`The shell has ended.\n${output}`)
  }
}
