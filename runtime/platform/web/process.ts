/** Replaces `process`. */
import library from 'process/browser.js'

type Process = typeof library & Pick<NodeJS.Process, 'emitWarning' | 'nextTick'>

interface Options {
  readonly type?: unknown
  readonly code?: unknown
}

const process: Process = {
  ...library,
  env: { NODE_ENV: 'production', ...library.env },
  // The library's function uses a timer, which takes a millisecond, and a second in background pages.
  nextTick: (callback: (...args: never[]) => void, ...args: readonly unknown[]) =>
    queueMicrotask(() => callback(...(args as never[]))),
  emitWarning(warning: string | Error, first?: unknown, second?: unknown) {
    const isOptions = typeof first === 'object' && first !== null
    const { type, code } = isOptions ? (first as Options) : { type: first, code: second }
    const name = type === undefined ? '' : `${String(type)}: `
    // oxlint-disable-next-line no-console -- There is no other place for it.
    console.warn(`${code === undefined ? '' : `[${String(code)}] `}${name}${String(warning)}`)
  },
}

export default process
