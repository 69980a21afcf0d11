/** Keys of properties, including private names. */
import { ts } from '../project.ts'
import { primitive, type Primitive } from './index.ts'

const prefix = 'private name '

/** Returns the key of `.name`. A private name becomes a symbol, so that it differs from the property `'#name'`. */
export function memberName(name: ts.MemberName): Primitive {
  return primitive(ts.isPrivateIdentifier(name) ? privateKey(name) : name.text, name)
}

export function privateKey({ text }: ts.PrivateIdentifier): symbol {
  return Symbol.for(prefix + text)
}

/** Returns the private name with its `#`; `undefined` for other keys. */
export function privateNameOf(key: string | symbol): string | undefined {
  const name = typeof key === 'symbol' ? Symbol.keyFor(key) : undefined
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** Converts a plain value to a property key. */
export function toKey(value: unknown): string | symbol {
  return typeof value === 'symbol' ? value : String(value)
}
