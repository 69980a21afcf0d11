/** Starts the process that runs slices, with as few rights as Node can give. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Duplex, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { pipe } from './frames.ts'

export interface SliceProcess {
  readonly process: ChildProcess
  readonly pipe: Duplex
  readonly stderr: Readable
}

/**
 * Whatever becomes of this process: a slice that does not end takes no more of the processor than this, in seconds, and
 * nothing dumps its memory.
 */
const shell = '/bin/sh'
const limits = 'ulimit -t 600; ulimit -c 0; exec "$0" "$@"'

/** @param root the folder that the application is started in */
export function startProcess(root: string): SliceProcess {
  const program = fileURLToPath(new URL('./child/main.js', import.meta.url))
  const node = [process.execPath, ...flags(), program, root]
  const [command = '', ...args] = existsSync(shell) ? [shell, '-c', limits, ...node] : node
  const child = spawn(command, args, {
    cwd: root,
    // Slices see neither the environment nor the terminal.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  return { process: child, pipe: child.stdio[pipe] as Duplex, stderr: child.stderr as Readable }
}

function flags(): string[] {
  const known = process.allowedNodeEnvironmentFlags
  const isPosix = process.platform !== 'win32'
  return [
    known.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-fs-read=*',
    // It opens files by itself, whatever is permitted.
    ...['--no-experimental-sqlite'].filter((flag) => known.has(flag)),
    '--no-warnings',
    // As much memory and depth as a thread of this process would have.
    `--max-old-space-size=${Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 20)}`,
    ...(isPosix ? ['--stack-size=3900'] : []),
  ]
}
