/**
 * A failed check of what the caller passed in, shaped like the error of `node:assert`, which is not
 * imported because it costs start-up time and does not exist on every platform.
 */
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
