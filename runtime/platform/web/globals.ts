/** Node's globals, which bundlers add to modules that use them. */
export { Buffer } from 'buffer/index.js'
export { default as process } from './process.ts'

export const global: typeof globalThis = globalThis

/** A timer, because the web has no `setImmediate`. */
export const setImmediate = (
  callback: (...args: unknown[]) => void,
  ...args: readonly unknown[]
): unknown => setTimeout(callback, 0, ...args)

export const clearImmediate = (timer: unknown): void => clearTimeout(timer as number)
