/** What is global on Node and not on the web: bundlers give it to the modules that ask for it. */
export { Buffer } from 'buffer/index.js'
export { default as process } from './process.ts'

export const global: typeof globalThis = globalThis

/** Timers are all that the web has for it. */
export const setImmediate = (
  callback: (...args: unknown[]) => void,
  ...args: readonly unknown[]
): unknown => setTimeout(callback, 0, ...args)

export const clearImmediate = (timer: unknown): void => clearTimeout(timer as number)
