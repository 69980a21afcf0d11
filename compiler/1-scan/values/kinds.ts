/** What operators ask of a value, as far as its kind tells. */
import type { Value } from './index.ts'

/** `true`, `false`, or `undefined` when it depends. */
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

/** False for `undefined` and `null`. */
export function isGiven(value: Value): boolean {
  return !(value.kind === 'primitive' && (value.value === undefined || value.value === null))
}

/** What `typeof` says, where the kind alone tells. */
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
