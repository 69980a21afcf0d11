/** How many frames the stacks of errors have. */

/**
 * Tells whether it can be limited: where all that is built in is frozen, errors keep their stacks. By assignment, and not by
 * `Reflect.set`, which takes longer.
 */
export function limitStack(limit: number): boolean {
  try {
    Error.stackTraceLimit = limit
    return true
  } catch {
    return false
  }
}

/**
 * The stack of whoever called `callee`, of up to `limit` frames where that can be said. It is put into words when it is first
 * read.
 */
export function callerOf(callee: Function, limit: number): { readonly stack?: string } {
  const { stackTraceLimit } = Error
  const holder = {}
  const isLimited = limitStack(limit)
  Error.captureStackTrace(holder, callee)
  if (isLimited) limitStack(stackTraceLimit)
  return holder
}
