/** Waits for promises of slices, not longer than something may come of it. */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { describe } from './describe.ts'

/**
 * How long this process may have nothing to do while it waits, in ms. What a promise can bring that needs nothing from
 * outside is there long before. One that waits for a database, say, is seldom the only one: each that is given up
 * halves the time for the next.
 */
const PATIENCE = 2000
let patience = PATIENCE
const leastPatience = 500

/** How often that is looked at, at most, in ms. */
const glance = 50

/** Gives up what is being waited for. */
let giveUp: (() => void) | undefined

/** What code has thrown that slices have left running, since there is something to wait for. */
let stray: string | undefined

// Slices may put others in their place.
const { eventLoopUtilization } = performance
const activeResources = process.getActiveResourcesInfo.bind(process)

/** Whether something was given up: on another machine it may come in time. */
export function hasGivenUp(): boolean {
  return patience < PATIENCE
}

/** To be called once, before anything is waited for. */
export function watchTheRest(): void {
  const note = (error: unknown): void => {
    stray ??= describe(error)
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  // Nothing is left that could bring anything. Node ends here, unless something is to be done.
  process.on('beforeExit', () => {
    setImmediate(() => giveUp?.())
  })
}

/** Rejects when nothing comes. */
export function settled<T>(promise: PromiseLike<T>): Promise<T> {
  stray = undefined
  return new Promise((resolve, reject) => {
    const start = eventLoopUtilization()
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(timer)
      giveUp = undefined
    }
    giveUp = () => {
      end()
      patience = Math.max(patience / 2, leastPatience)
      const because = stray === undefined ? '' : `: code that it has left running throws "${stray}"`
      reject(new WaitsInVain(`waits for something that does not come${because}`))
    }
    const look = (): void => {
      const left = patience - eventLoopUtilization(start).idle
      if (left <= 0 && !isAtWork()) giveUp?.()
      // It holds nothing up when there is nothing else to wait for.
      else timer = setTimeout(look, Math.max(left, glance)).unref()
    }
    look()
    const take = async (): Promise<T> => {
      try {
        return await promise
      } finally {
        end()
      }
    }
    take().then(resolve, reject)
  })
}

/** The message says what somebody does; who is known elsewhere. */
export class WaitsInVain extends Error {}

/** Whether other threads do something for this one: read files, compress, derive keys. */
function isAtWork(): boolean {
  return activeResources().some((name) => /req|zlib/i.test(name))
}
