/** Errors that say more than they did. */
import { fold } from './stack.ts'

const done = new WeakSet<Error>()
/** The last of them, until it is shown. */
let unshown: Error | undefined

/** Adds to the stack of an error, which is what gets printed and logged, in place of the frames that say nothing. */
export function explainBy(error: Error, text: string | undefined): boolean {
  if (done.has(error)) return true
  if (!text) return false
  done.add(error)
  fold(error, text)
  unshown = error
  return true
}

/** The last one that was not taken before. */
export function takeUnshown(): Error | undefined {
  const error = unshown
  unshown = undefined
  return error
}

export function isExplained(error: Error): boolean {
  return done.has(error)
}
