/** Functions that compiled parsers of Zod types call. They do what the functions of these names in Zod's compiler do, which it doesn't export. */
import type { ZodType } from '../artifact/zod-digest.ts'

/** Result of a parser that leaves the value to the live type. Zod uses the same symbol. */
export const ZOD_INVALID: unique symbol = Symbol.for('zod.compile.invalid') as never

interface Result {
  readonly value: unknown
  readonly issues: readonly unknown[]
  readonly then?: unknown
}

function run(type: ZodType, value: unknown): Result {
  return type._zod.run({ value, issues: [] } as { value: unknown }, {}) as Result
}

export function zodRun(type: ZodType, value: unknown): unknown {
  return zodCatch(type, () => ZOD_INVALID, value)
}

export function zodCatch(type: ZodType, caught: () => unknown, value: unknown): unknown {
  const result = run(type, value)
  if (typeof result.then === 'function') return ZOD_INVALID
  return result.issues.length === 0 ? result.value : caught()
}

/** @param AsyncError class of the application's Zod */
export function zodThrowAsync(AsyncError: new () => Error): () => never {
  return () => {
    throw new AsyncError()
  }
}

interface Payload {
  value: unknown
  readonly issues: unknown[]
  addIssue(this: Payload, issue: unknown): void
}

function pushIssue(this: Payload, issue: unknown): void {
  this.issues.push(issue)
}

/** A `transform` of the application. */
export function zodTransform(
  transform: (value: unknown, payload: Payload) => unknown,
): (value: unknown) => unknown {
  return (value) => {
    const payload: Payload = { value, issues: [], addIssue: pushIssue }
    const result = transform(value, payload)
    return result instanceof Promise || payload.issues.length > 0 ? ZOD_INVALID : result
  }
}

/** A `superRefine` or `check` of the application. */
export function zodCheck(
  check: (payload: Payload) => unknown,
  throwAsync: () => never,
): (value: unknown) => unknown {
  return (value) => {
    const payload: Payload = { value, issues: [], addIssue: pushIssue }
    if (check(payload) instanceof Promise) throwAsync()
    return payload.issues.length === 0 ? payload.value : ZOD_INVALID
  }
}

/** A default, which the live type computes. */
export function zodDefault(def: { readonly defaultValue: unknown }): () => unknown {
  return () => def.defaultValue
}
