/** Two processes, one for each contestant, that measure the same cases in turns. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Line } from '../../../runtime/artifact/lines.ts'
import { nextMessage } from '../../support/next-message.ts'
import { median } from '../median.ts'
import type { Ready, Turn } from './child.ts'

/** What the two processes run. */
export interface Contestants {
  /** The file of the emitted functions. */
  readonly chunk: string
  /** Whose functions are compiled in process. */
  readonly line: Line
  /** The file of Node. */
  readonly node: string
}

/** Medians of the turns, in nanoseconds for a call. */
export interface Pair {
  readonly emitted: number
  readonly inProcess: number
  /** The median of the ratios of neighbouring turns. */
  readonly ratio: number
}

const child = fileURLToPath(new URL('child.js', import.meta.url))
/** Measurements before the first turn: until then the engine has optimized what it will. */
const WARM_UP = 60
const TURNS = 20
/** Of each case in a turn. A turn of one case takes some milliseconds. */
const MEASUREMENTS = 8

/** @throws when the two make something else of a value */
export async function compare(
  { chunk, line, node }: Contestants,
  titles: readonly string[],
): Promise<ReadonlyMap<string, Pair>> {
  const start = (contestant: string): ChildProcess =>
    fork(child, [contestant, chunk, JSON.stringify(titles)], { execPath: node })
  const emitted = start('emitted')
  const inProcess = start(line)
  try {
    await assertAlike(titles, emitted, inProcess)
    for (const process of [emitted, inProcess]) await measure(process, WARM_UP)
    const turns: (readonly [Turn, Turn])[] = []
    while (turns.length < TURNS) turns.push(await takeTurns(emitted, inProcess, turns.length))
    return new Map(titles.map((title) => [title, pairOf(title, turns)]))
  } finally {
    for (const process of [emitted, inProcess]) process.kill()
  }
}

async function assertAlike(
  titles: readonly string[],
  emitted: ChildProcess,
  inProcess: ChildProcess,
): Promise<void> {
  const [a, b] = await Promise.all([nextMessage<Ready>(emitted), nextMessage<Ready>(inProcess)])
  for (const title of titles) {
    const [one, other] = [a.outcomes[title], b.outcomes[title]]
    if (!isDeepStrictEqual(one, other))
      throw new Error(`${title}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`)
  }
}

/** Who comes first changes with the turn. */
async function takeTurns(
  emitted: ChildProcess,
  inProcess: ChildProcess,
  turn: number,
): Promise<readonly [Turn, Turn]> {
  if (turn % 2 === 0) return [await measure(emitted), await measure(inProcess)]
  const second = await measure(inProcess)
  return [await measure(emitted), second]
}

async function measure(process: ChildProcess, measurements = MEASUREMENTS): Promise<Turn> {
  process.send(measurements)
  return nextMessage<Turn>(process)
}

function pairOf(title: string, turns: readonly (readonly [Turn, Turn])[]): Pair {
  const times = turns.map((turn) => turn.map(({ ns }) => ns[title] ?? NaN) as [number, number])
  return {
    emitted: median(times.map(([emitted]) => emitted)),
    inProcess: median(times.map(([, inProcess]) => inProcess)),
    ratio: median(times.map(([emitted, inProcess]) => emitted / inProcess)),
  }
}
