/** Errors with an added explanation. */
import { fold } from './stack.ts'

const done = new WeakSet<Error>()
/** The latest one that hasn't been shown. */
let unshown: Error | undefined

/** Adds an explanation to an error's stack, replacing frames without information. */
export function explainBy(error: Error, text: string | undefined): boolean {
  if (done.has(error)) return true
  if (!text) return false
  done.add(error)
  fold(error, text)
  unshown = error
  return true
}

/** Returns the latest unshown error and forgets it. */
export function takeUnshown(): Error | undefined {
  const error = unshown
  unshown = undefined
  return error
}

export function isExplained(error: Error): boolean {
  return done.has(error)
}
