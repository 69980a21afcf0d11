/** Counts what code does instead of timing it. */
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

// Optimized code does not count its calls, and code that is let go because it is old does not either.
for (const flag of ['--no-opt', '--no-maglev', '--no-flush-bytecode']) setFlagsFromString(flag)

// Loops are counted only in functions that are compiled, which is when they are first called, after this.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * How often blocks of code whose file matches `files` are entered while `action` runs: calls, turns of loops, arms of
 * conditions. The same each time, however fast the machine.
 */
export async function countWork(files: RegExp, action: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  await action()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => files.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}
