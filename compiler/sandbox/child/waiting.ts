/** Awaits promises of evaluated code as long as they may settle. */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { describe } from './describe-error.ts'

/**
 * How long the process may be idle while it waits, in ms. Promises that need nothing from outside usually settle long before. A
 * promise that waits for a database, say, is seldom the only one: each one that is given up halves the time for the next.
 */
const maxPatience = 2000
let patience = maxPatience
const minPatience = 500

const checkInterval = 50

/** Stops waiting for the current promise. */
let giveUp: (() => void) | undefined

/** Message of the first uncaught error or unhandled rejection since the current promise is awaited. */
let strayError: string | undefined

// Evaluated code may replace these.
const { eventLoopUtilization } = performance
const activeResources = process.getActiveResourcesInfo.bind(process)

/** Returns whether a promise was given up: on another machine, it may settle in time. */
export function hasGivenUp(): boolean {
  return patience < maxPatience
}

/** Must be called once, before anything is awaited. */
export function watchStrayErrors(): void {
  const note = (error: unknown): void => {
    strayError ??= describe(error)
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  // With an empty event loop, nothing can settle the promise. Without a new task, Node would exit here.
  process.on('beforeExit', () => {
    setImmediate(() => giveUp?.())
  })
}

/** Settles like the promise. Rejects if it is given up. */
export function settled<T>(promise: PromiseLike<T>): Promise<T> {
  strayError = undefined
  return new Promise((resolve, reject) => {
    const start = eventLoopUtilization()
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(timer)
      giveUp = undefined
    }
    giveUp = () => {
      end()
      patience = Math.max(patience / 2, minPatience)
      const because =
        strayError === undefined ? '' : `: code that it left running throws "${strayError}"`
      reject(new NeverSettles(`never settles${because}`))
    }
    const check = (): void => {
      const left = patience - eventLoopUtilization(start).idle
      if (left <= 0 && !isWorking()) giveUp?.()
      // The timer must not keep the event loop alive.
      else timer = setTimeout(check, Math.max(left, checkInterval)).unref()
    }
    check()
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

/** The message is a predicate: the scan adds the subject. */
export class NeverSettles extends Error {}

/** Returns whether threads of Node work for this process: they read files, compress, or derive keys. */
function isWorking(): boolean {
  return activeResources().some((name) => /req|zlib/i.test(name))
}
