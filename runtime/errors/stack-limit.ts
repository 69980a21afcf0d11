/** How many frames the stacks of errors have. */

/**
 * Sets the stack limit. Returns false if built-in objects are frozen, as by `--frozen-intrinsics`: the limit stays the same.
 * Assignment is faster than `Reflect.set`.
 */
export function limitStack(limit: number): boolean {
  try {
    Error.stackTraceLimit = limit
    return true
  } catch {
    return false
  }
}

/** Returns the stack of the caller of `callee`, with at most `limit` frames if possible. It is formatted on first access. */
export function callerOf(callee: Function, limit: number): { readonly stack?: string } {
  const { stackTraceLimit } = Error
  const holder = {}
  const isLimited = limitStack(limit)
  Error.captureStackTrace(holder, callee)
  if (isLimited) limitStack(stackTraceLimit)
  return holder
}
