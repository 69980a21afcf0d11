/** What the start of one process costs, up to its first response. */
import type { ChildProcess } from 'node:child_process'
import { sampleRequest, steps } from './application.ts'
import { median } from '../median.ts'
import { send } from './request.ts'

export interface Cost {
  /** User and system time after each of `steps`, in ms. */
  readonly marks: readonly number[]
  /** User and system time of the process, in ms. */
  readonly cpu: number
  /** From spawn to the response, in ms. */
  readonly wall: number
  /** Resident memory after the response, in MiB. */
  readonly rss: number
}

export interface Contestant {
  readonly name: string
  readonly main: string
  readonly nodeFlags: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** @param start starts `main`, which tells its port and what it has cost */
export function measure(main: string, start: () => ChildProcess): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let wall = 0
    const child = start()
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code !== null) reject(new Error(`${main} exited with ${code}`))
    })
    child.on('message', (message: { port: number } | { marks: number[]; rss: number }) => {
      if ('port' in message) {
        send(message.port, sampleRequest).then(() => (wall = performance.now() - startedAt), reject)
      } else {
        // The figures may overtake the response.
        const done = (): void => {
          if (wall === 0) return void setImmediate(done)
          child.kill('SIGKILL')
          const { marks, rss } = message
          resolve({ marks, cpu: marks.at(-1) as number, rss, wall })
        }
        done()
      }
    })
  })
}

export function medianOf(costs: readonly Cost[]): Cost {
  const middle = (of: (cost: Cost) => number): number => median(costs.map(of))
  return {
    cpu: middle((cost) => cost.cpu),
    wall: middle((cost) => cost.wall),
    rss: middle((cost) => cost.rss),
    // What each step adds.
    marks: steps.map((_, i) => middle(({ marks }) => (marks[i] ?? 0) - (marks[i - 1] ?? 0))),
  }
}
