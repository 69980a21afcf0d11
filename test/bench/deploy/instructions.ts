/**
 * What a start costs in instructions, counted by valgrind: the same from run to run and on any machine, where time is not. All but a
 * few millions, which Node spends to draw random numbers. What the kernel does is not among them.
 */
import { once } from 'node:events'
import type { SampleRequest } from '../cold-start/request.ts'
import { afterOneAnswer } from './measure.ts'

const flags = [
  '--tool=cachegrind',
  '--cache-sim=no',
  '--cachegrind-out-file=/dev/null',
  // V8 writes code while it runs.
  '--smc-check=all-non-file',
]

/** Millions of instructions of a process up to its first answer. */
export function countInstructions(
  node: string,
  args: readonly string[],
  request: SampleRequest,
): Promise<number> {
  return afterOneAnswer('valgrind', [...flags, node, ...args], request, async (child) => {
    let told = ''
    child.stderr?.on('data', (text: string) => (told += text))
    // Nobody listens for it, so it ends the process, and valgrind tells what it has counted.
    child.kill('SIGUSR2')
    await once(child, 'close')
    const [, count] = /I\s+refs:\s+([\d,]+)/.exec(told) ?? []
    if (count === undefined) throw new Error(`valgrind has counted nothing:\n${told}`)
    return Number(count.replaceAll(',', '')) / 1e6
  })
}
