/** Measures the CPU time and memory of processes that start, from outside (Linux). */
import { readdirSync, readFileSync } from 'node:fs'
import { startServer } from '../support/start-server.ts'
import { median } from './figures.ts'
import { plainEnv, type SampleRequest, send } from './sample-request.ts'

export interface Contestant {
  readonly name: string
  start(): Promise<Started>
}

interface Started {
  readonly port: number
  readonly pid: number
  stop(): Promise<unknown>
}

export function nodeContestant(name: string, args: readonly string[], node: string): Contestant {
  return {
    name,
    async start() {
      const server = await startServer(node, args, { env: plainEnv })
      const { port, child } = server
      return { port, pid: child.pid as number, stop: () => server.stop('SIGKILL') }
    },
  }
}

export interface Cost {
  /** User and system time until the first response, in ms. */
  readonly cpu: number
  /** Resident memory after it, in MiB. */
  readonly rss: number
}

/**
 * Starts the contestants in turns. Returns the cost of the first, and what the others cost beyond it. These are medians of the
 * differences within a turn, because the speed of the machine changes from turn to turn.
 */
export async function race(
  contestants: readonly Contestant[],
  request: SampleRequest,
  runs: number,
): Promise<Map<string, Cost>> {
  const rounds: Cost[][] = []
  // The first start reads files that the others find in memory.
  for (let run = -1; run < runs; run++) {
    const round: Cost[] = []
    for (const contestant of contestants) round.push(await costOf(contestant, request))
    if (run >= 0) rounds.push(round)
  }
  const beyondFirst = (i: number, what: keyof Cost): number =>
    median(rounds.map((round) => round[i]![what] - (i === 0 ? 0 : round[0]![what])))
  return new Map(
    contestants.map(({ name }, i) => [
      name,
      { cpu: beyondFirst(i, 'cpu'), rss: beyondFirst(i, 'rss') },
    ]),
  )
}

async function costOf({ start }: Contestant, request: SampleRequest): Promise<Cost> {
  const { port, pid, stop } = await start()
  try {
    await send(port, request)
    return { cpu: cpuOf(pid), rss: residentOf(pid) }
  } finally {
    await stop()
  }
}

/** CPU time of the live threads of a process, in ms. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) => {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(running)
  })
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

/** Resident memory, in MiB. */
function residentOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
