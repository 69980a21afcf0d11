/** The error of `node:assert`, which takes time to load and doesn't exist on all platforms. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
}

/** Throws an `AssertionError` with `message` unless `condition` is truthy. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new AssertionError(message)
  }
}
