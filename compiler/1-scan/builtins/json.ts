import { Thrown } from '../interpreter/thrown.ts'
import type { Machine } from '../interpreter/machine.ts'
import {
  array,
  native,
  nativeObject,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../interpreter/values.ts'
import type { Value } from '../interpreter/values.ts'
import type { Node } from '../project.ts'
import { toValue } from './plain.ts'
import { pure } from './pure.ts'

export function jsonGlobal(m: Machine): Value {
  return nativeObject({
    parse: native('JSON.parse', ({ args, at }) => {
      const text = m.known(args[0] ?? undefinedValue)
      // JSON.parse(JSON.stringify(x)) copies x: the text in between remembers it.
      if (text.kind !== 'primitive')
        return text.kind === 'unknown' ? text : unknown('the text to parse is not known', at)
      try {
        return toValue(JSON.parse(String(text.value)), at)
      } catch {
        throw new Thrown(primitive('the text is not valid JSON', at), at)
      }
    }),
    stringify: pure(m, 'JSON.stringify', JSON.stringify as (...args: never[]) => unknown),
  })
}

/** A copy that shares nothing; what is not plain stays what it is. */
export function clone(m: Machine, value: Value, at: Node): Value {
  switch (value.kind) {
    case 'array':
      return {
        ...array(
          value.elements.map((element) => clone(m, element, at)),
          value.at,
        ),
        doubt: value.doubt,
      }
    case 'object': {
      const copy = object(value.at, { base: value.base, proto: value.proto, class: value.class })
      for (const [name, member] of value.members) {
        copy.members.set(name, { ...member, value: clone(m, member.value, at) })
      }
      return copy
    }
    case 'deferred':
      return m.deferrals.code('(v) => structuredClone(v)', [value], at)
    default:
      return value
  }
}
