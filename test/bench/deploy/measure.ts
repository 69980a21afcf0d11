/** What a start costs, seen from outside: contestants are not changed to be measured. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { plainEnv, send } from '../cold-start/request.ts'
import type { SampleRequest } from '../cold-start/request.ts'
import { cpuOf, residentOf } from '../process.ts'

export interface Cost {
  /** User and system time up to the first response, in ms. */
  readonly cpu: number
  /** Resident memory after it, in MiB. */
  readonly rss: number
}

/** Starts a program and asks it once. @throws when the answer is not the right one */
export function measure(
  node: string,
  args: readonly string[],
  request: SampleRequest,
): Promise<Cost> {
  return afterOneAnswer(node, args, request, ({ pid }) => ({
    cpu: cpuOf(pid as number),
    rss: residentOf(pid as number),
  }))
}

/** Starts a program, asks it once and hands it to `use`, before it is killed. */
export async function afterOneAnswer<Result>(
  node: string,
  args: readonly string[],
  request: SampleRequest,
  use: (child: ChildProcess) => Result | Promise<Result>,
): Promise<Result> {
  const child = spawn(node, args, {
    env: { ...plainEnv, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    await send(await portOf(child, args), request)
    return await use(child)
  } finally {
    child.kill('SIGKILL')
  }
}

function portOf(child: ChildProcess, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(output) ?? []
        if (port !== undefined) resolve(Number(port))
      })
    }
    child.once('exit', (code) =>
      reject(new Error(`${args.join(' ')} ended with ${code}\n${output}`)),
    )
  })
}
