import { setFlagsFromString } from 'node:v8'

/** By release of Node, how V8 is told to call a function hot four times later than it does by itself. */
const FLAGS: Readonly<Record<number, string>> = {
  20: '--interrupt-budget=264192',
  22: '--invocation-count-for-turbofan=12000',
  24: '--invocation-count-for-turbofan=12000',
  26: '--invocation-count-for-turbofan=12000',
}

/**
 * Has V8 optimize only what is called very often. A command has done most of its work before optimized code pays for itself, and
 * the threads that make it take the second core from those that compile schemas.
 */
export function optimizeFew(): void {
  const [major = ''] = process.versions.node.split('.')
  const flag = FLAGS[Number(major)]
  if (flag !== undefined) setFlagsFromString(flag)
}
