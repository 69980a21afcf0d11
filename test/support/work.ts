/** Counts what code does instead of timing it. */
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

// Optimized code doesn't count its calls, nor does code that V8 drops because it hasn't run for long.
for (const flag of ['--no-opt', '--no-maglev', '--no-flush-bytecode']) setFlagsFromString(flag)

// Loops are only counted in functions that are compiled, at their first call, after this.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * Counts how often blocks of code in matching files are entered while `action` runs: calls, iterations, branches. The count
 * doesn't depend on the speed of the machine.
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
