/** `process.nextTick`: calls back before any I/O or timer. */
export type NextTick = <Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  ...args: Args
) => void

/**
 * The number of microtasks that a tick waits for. The end of the microtask queue can't be observed, and timers aren't available while a
 * Worker starts. Returning a promise from an async function takes three.
 */
const MICROTASKS = 64

/**
 * Creates `nextTick` for platforms without it.
 *
 * As in Node, a tick that is queued by a tick runs before all microtasks, and one that is queued by a microtask after all of them. The
 * load order of plugins depends on this.
 */
export function createTicks(): NextTick {
  const waiting: (() => void)[] = []
  let isScheduled = false
  const runAfter = (microtasks: number): void => {
    if (microtasks === 0) run()
    else queueMicrotask(() => runAfter(microtasks - 1))
  }
  const schedule = (): void => {
    isScheduled = waiting.length > 0
    if (isScheduled) runAfter(MICROTASKS)
  }
  const run = (): void => {
    try {
      // Ticks that are queued meanwhile run in the same loop.
      for (let next = waiting.shift(); next; next = waiting.shift()) next()
    } finally {
      schedule()
    }
  }
  return (callback, ...args) => {
    waiting.push(() => callback(...args))
    if (!isScheduled) schedule()
  }
}
