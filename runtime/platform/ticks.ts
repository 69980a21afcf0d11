/** Calls back before anything that has not begun yet, as `process.nextTick` does. */
export type NextTick = <Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  ...args: Args
) => void

/**
 * How often a tick gives way to microtasks. Nothing tells when there are no more of them, and timers are not to be had while a
 * Worker starts; an async function that returns to another takes three.
 */
const TURNS = 64

/**
 * Ticks where there are none, or where they are no more than microtasks.
 *
 * On Node a tick that a tick asks for comes before all microtasks, and one that a microtask asks for after all of them. The
 * order in which plugins load is made of that.
 */
export function createTicks(): NextTick {
  const waiting: (() => void)[] = []
  let isPlanned = false
  const giveWay = (turns: number): void => {
    if (turns === 0) run()
    else queueMicrotask(() => giveWay(turns - 1))
  }
  const plan = (): void => {
    isPlanned = waiting.length > 0
    if (isPlanned) giveWay(TURNS)
  }
  const run = (): void => {
    try {
      // Those that are asked for meanwhile come at once.
      for (let next = waiting.shift(); next; next = waiting.shift()) next()
    } finally {
      plan()
    }
  }
  return (callback, ...args) => {
    waiting.push(() => callback(...args))
    if (!isPlanned) plan()
  }
}
