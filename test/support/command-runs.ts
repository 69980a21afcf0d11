/** Runs commands of `framework` one after the other in one process, which loads the compiler once. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandFile } from './command-file.ts'
import { runsAll } from './runs.ts'
import { temporaryFolder, thisProcess } from './folders.ts'

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A message to the process of `command-process.ts`. */
export interface CommandCall {
  readonly folder: string
  readonly args: readonly string[]
}

/** The environment of commands and applications. */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: '',
  NO_COLOR: '1',
  // Tests in these processes don't report to the runner of this one.
  NODE_TEST_CONTEXT: undefined,
}

/** Runs Node in a folder. */
export function runNode(folder: string, args: readonly string[]): Finished {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env,
  })
  return { status, stdout, stderr }
}

/** Runs a command in a folder: with `TESTS=all` in a process of its own, otherwise in the one of this test file. */
export function runCommand(folder: string, args: readonly string[]): Finished {
  if (runsAll) return runNode(folder, [commandFile, ...args])
  commandProcess ??= startProcess()
  return commandProcess({ folder, args })
}

let commandProcess: ((call: CommandCall) => Finished) | undefined
let end = async (): Promise<void> => {}

// Waiting for the process counts its CPU time as that of this test file.
after(() => end())

/** Named pipes, because the callers wait for the answer without a turn of the event loop. */
function startProcess(): (call: CommandCall) => Finished {
  const folder = temporaryFolder(thisProcess)
  const [calls, answers] = [join(folder, 'calls'), join(folder, 'answers')] as const
  spawnSync('mkfifo', [calls, answers])
  const program = fileURLToPath(new URL('command-process.js', import.meta.url))
  const child = spawn(process.execPath, [program, calls, answers], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.unref()
  const to = openSync(calls, 'w')
  const from = openSync(answers, 'r')
  end = async () => {
    closeSync(to)
    child.ref()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return (call) => {
    writeSync(to, `${JSON.stringify(call)}\n`)
    return JSON.parse(readLine(from)) as Finished
  }
}

function readLine(file: number): string {
  const parts: Buffer[] = []
  const part = Buffer.alloc(65_536)
  do {
    const length = readSync(file, part)
    if (length === 0) throw new Error('The process of commands has ended')
    parts.push(Buffer.from(part.subarray(0, length)))
  } while (parts.at(-1)?.at(-1) !== 10)
  return Buffer.concat(parts).toString()
}
