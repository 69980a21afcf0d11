/** What a start costs, seen from outside: contestants are not changed to be measured. */
import type { ChildProcess } from 'node:child_process'
import { startServer } from '../../support/start-server.ts'
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

/** Starts a program, sends it a request and hands it to `use`, before it is killed. */
export async function afterOneAnswer<Result>(
  node: string,
  args: readonly string[],
  request: SampleRequest,
  use: (child: ChildProcess) => Result | Promise<Result>,
): Promise<Result> {
  const server = await startServer(node, args, { env: plainEnv })
  try {
    await send(server.port, request)
    return await use(server.child)
  } finally {
    await server.stop('SIGKILL')
  }
}
