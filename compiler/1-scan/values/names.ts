import { ts } from '../project.ts'
import { primitive, type Primitive } from './index.ts'

const prefix = 'private name '

/** The key behind `.name`. A private name is a symbol: no listing shows it, and `'#name'` is another property. */
export function memberName(name: ts.MemberName): Primitive {
  return primitive(ts.isPrivateIdentifier(name) ? privateKey(name) : name.text, name)
}

export function privateKey({ text }: ts.PrivateIdentifier): symbol {
  return Symbol.for(prefix + text)
}

/** The private name as it is written, `#` included; `undefined` for any other key. */
export function privateNameOf(key: string | symbol): string | undefined {
  const name = typeof key === 'symbol' ? Symbol.keyFor(key) : undefined
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** A plain value as the name of a property. */
export function toKey(value: unknown): string | symbol {
  return typeof value === 'symbol' ? value : String(value)
}
