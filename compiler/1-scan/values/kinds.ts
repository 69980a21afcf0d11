/** Properties of values that follow from their kind. */
import type { Value } from './index.ts'

/** Returns whether a value is truthy; `undefined` when the kind doesn't decide it. */
export function truthiness(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'primitive':
      return Boolean(value.value)
    case 'deferred':
      return undefined
    case 'unknown':
      return value.falsy ? false : undefined
    case 'choice': {
      const [first, ...rest] = value.options.map(truthiness)
      return rest.every((other) => other === first) ? first : undefined
    }
    default:
      return true
  }
}

export function isCallable(value: Value): boolean {
  return value.kind === 'function' || value.kind === 'native' || value.kind === 'class'
}

/** Returns `false` for `undefined` and `null`. */
export function isGiven(value: Value): boolean {
  return !(value.kind === 'primitive' && (value.value === undefined || value.value === null))
}

/** Returns the result of `typeof`; `undefined` when the kind doesn't decide it. */
export function typeOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'primitive':
      return typeof value.value
    case 'function':
    case 'native':
    case 'class':
      return 'function'
    case 'object':
    case 'array':
    case 'namespace':
    case 'instance':
      return 'object'
    default:
      return undefined
  }
}
