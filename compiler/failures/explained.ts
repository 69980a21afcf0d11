/** Errors with an added explanation. */
import { fold } from './stack.ts'

const explained = new WeakSet<Error>()
/** The latest explained error that hasn't been shown. */
let unshown: Error | undefined

/** Adds an explanation to an error's stack, replacing frames without information. */
export function explainBy(error: Error, text: string | undefined): boolean {
  if (explained.has(error)) return true
  if (!text) return false
  explained.add(error)
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
  return explained.has(error)
}
