import type { Machine } from '../interpreter/machine.ts'
import { Thrown } from '../interpreter/thrown.ts'
import { Scope } from '../interpreter/scope.ts'
import {
  array,
  native,
  nativeObject,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../interpreter/values.ts'
import type { Deferred, NativeValue, Value } from '../interpreter/values.ts'
import type { Node } from '../project.ts'
import { collectionConstructor } from './collections.ts'
import { objectGlobal, ownEntries } from './object.ts'
import { toPlain, toValue } from './plain.ts'
import { processGlobal } from './process.ts'

/** Constructors whose objects only real code can make. */
const constructors = [
  'RegExp',
  'URL',
  'URLSearchParams',
  'Intl',
  'Uint8Array',
  'Buffer',
  'TextEncoder',
]

/** Values of these differ from run to run. */
const volatileGlobals = ['fetch', 'performance', 'crypto']

/** The variables that every module sees. */
export function createGlobals(m: Machine): Scope {
  const scope = new Scope(undefined, '', {
    thisValue: undefined,
    home: undefined,
    isStatic: false,
    newTarget: undefined,
    returns: [],
    armCount: 0,
    yields: [],
  })
  const globals: Record<string, Value> = {
    Object: objectGlobal(m),
    Array: arrayGlobal(m),
    JSON: jsonGlobal(m),
    Map: collectionConstructor(m, 'map'),
    WeakMap: collectionConstructor(m, 'map'),
    Set: collectionConstructor(m, 'set'),
    WeakSet: collectionConstructor(m, 'set'),
    Date: dateGlobal(m),
    Promise: promiseGlobal(m),
    Reflect: reflectGlobal(m),
    Symbol: symbolGlobal(m),
    Math: functionsOf(m, Math, 'Math'),
    Number: conversion(m, 'Number', Number),
    String: conversion(m, 'String', String),
    Boolean: conversion(m, 'Boolean', Boolean),
    process: processGlobal(m),
    console: functionsOf(m, {}, 'console'),
    structuredClone: native('structuredClone', ({ args, at }) =>
      clone(m, args[0] ?? undefinedValue, at),
    ),
    NaN: primitive(Number.NaN, undefined),
    Infinity: primitive(Infinity, undefined),
    undefined: undefinedValue,
  }
  for (const name of [
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'trace',
    'table',
    'time',
    'timeEnd',
  ]) {
    ;(globals['console'] as Extract<Value, { kind: 'object' }>).members.set(name, {
      value: native(name, () => undefinedValue),
      at: undefined,
    })
  }
  for (const name of [
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'EvalError',
    'URIError',
    'AggregateError',
  ]) {
    globals[name] = errorGlobal(m, name)
  }
  for (const plain of [
    parseInt,
    parseFloat,
    isNaN,
    isFinite,
    encodeURIComponent,
    decodeURIComponent,
    encodeURI,
    decodeURI,
  ]) {
    globals[plain.name] = pure(m, plain.name, plain as (...args: never[]) => unknown)
  }
  for (const name of [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'clearTimeout',
    'clearInterval',
  ]) {
    globals[name] = native(name, ({ at }) => unknown('it is the result of a timer', at))
  }
  for (const [name, value] of Object.entries(globals)) scope.declare(name, value)
  for (const name of constructors) scope.declareLive(name, () => deferredGlobal(m, name))
  for (const name of volatileGlobals) {
    scope.declareLive(name, () => unknown(`\`${name}\` gives other values in each run`, m.anywhere))
  }
  const self = object(undefined)
  for (const [name, value] of Object.entries(globals))
    self.members.set(name, { value, at: undefined })
  scope.declare('globalThis', self)
  scope.declare('global', self)
  return scope
}

function deferredGlobal(m: Machine, name: string): Deferred {
  return m.deferrals.code(`() => ${name}`, [], m.anywhere)
}

/** A function of JavaScript that has no effect: applied when all its arguments are known. */
function pure(m: Machine, name: string, apply: (...args: never[]) => unknown): NativeValue {
  return native(name, ({ args, at }) => {
    const plain = args.map((arg) => toPlain(m, m.known(arg)))
    const failed = plain.find((one) => !one.ok)
    if (failed !== undefined && !failed.ok) {
      return failed.blame.kind === 'unknown'
        ? failed.blame
        : unknown(`\`${name}\` gets a value that is not known`, at)
    }
    return toValue(apply(...(plain.map((one) => (one.ok ? one.value : undefined)) as never[])), at)
  })
}

function functionsOf(m: Machine, owner: object, name: string): Value {
  const members: Record<string, Value> = {}
  for (const key of Object.getOwnPropertyNames(owner)) {
    const value = (owner as Record<string, unknown>)[key]
    if (key === 'random') {
      members[key] = native(key, ({ at }) => unknown('it is a random number', at))
    } else if (typeof value === 'function') {
      members[key] = pure(m, `${name}.${key}`, value as (...args: never[]) => unknown)
    } else members[key] = primitive(value as number, undefined)
  }
  return nativeObject(members)
}

function conversion(m: Machine, name: string, convert: (value: unknown) => unknown): NativeValue {
  const result = pure(m, name, convert as (...args: never[]) => unknown)
  for (const key of Object.getOwnPropertyNames(convert)) {
    const value = (convert as unknown as Record<string, unknown>)[key]
    if (typeof value === 'function') {
      const member = pure(m, `${name}.${key}`, value as (...args: never[]) => unknown)
      result.members.set(key, { value: member, at: undefined })
    } else if (typeof value === 'number' && key !== 'length') {
      result.members.set(key, { value: primitive(value, undefined), at: undefined })
    }
  }
  return result
}

function arrayGlobal(m: Machine): NativeValue {
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const [first] = args
    if (args.length === 1 && first?.kind === 'primitive' && typeof first.value === 'number') {
      return array(
        Array.from({ length: first.value }, () => undefinedValue),
        at,
      )
    }
    return array([...args], at)
  }
  const result = native('Array', build, build)
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    result.members.set(name, {
      value: native(`Array.${name}`, ({ args, at }) => call(args, at)),
      at: undefined,
    })
  }
  define('isArray', ([value = undefinedValue], at) => {
    const known = m.known(value)
    if (known.kind === 'unknown') return known
    if (known.kind === 'deferred') return primitive(m.deferrals.isArray(known), at)
    return primitive(known.kind === 'array', at)
  })
  define('of', (args, at) => array([...args], at))
  define('from', ([source = undefinedValue, callback], at) => {
    const length = source.kind === 'object' ? source.members.get('length')?.value : undefined
    const items =
      length?.kind === 'primitive' && typeof length.value === 'number'
        ? Array.from({ length: length.value }, () => undefinedValue as Value)
        : m.iterate(source, at)
    if (!Array.isArray(items)) return items
    return array(
      callback === undefined
        ? items
        : items.map((item, index) =>
            m.call(callback, undefinedValue, [item, primitive(index, at)], at),
          ),
      at,
    )
  })
  return result
}

function jsonGlobal(m: Machine): Value {
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

function promiseGlobal(m: Machine): NativeValue {
  const result = native(
    'Promise',
    ({ at }) => unknown('it is called without `new`', at),
    ({ args, at }) => {
      let settled: Value = unknown('it is settled later', at)
      const resolve = native('resolve', (call) => {
        settled = call.args[0] ?? undefinedValue
        return undefinedValue
      })
      const reject = native('reject', () => undefinedValue)
      m.call(args[0] ?? undefinedValue, undefinedValue, [resolve, reject], at)
      return settled
    },
  )
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    result.members.set(name, {
      value: native(`Promise.${name}`, ({ args, at }) => call(args, at)),
      at: undefined,
    })
  }
  define('resolve', ([value = undefinedValue]) => value)
  define('reject', ([value = undefinedValue]) => {
    throw new Thrown(value)
  })
  define('all', ([list = undefinedValue], at) => {
    const items = m.iterate(list, at)
    return Array.isArray(items)
      ? array(
          items.map((item) => m.boot.settle(item)),
          at,
        )
      : items
  })
  define('allSettled', (_, at) => unknown('it is the outcome of promises', at))
  return result
}

/** A given time is computed; the present one is another in each run. */
function dateGlobal(m: Machine): NativeValue {
  const now = (at: Node): Value => unknown('it depends on the clock', at)
  const result = native(
    'Date',
    ({ at }) => now(at),
    ({ args, at }) =>
      args.length === 0 ? now(at) : m.deferrals.code('(...a) => new Date(...a)', args, at),
  )
  result.members.set('now', { value: native('now', ({ at }) => now(at)), at: undefined })
  for (const name of ['parse', 'UTC']) {
    const value = native(name, ({ args, at }) =>
      m.deferrals.code(`(...a) => Date.${name}(...a)`, args, at),
    )
    result.members.set(name, { value, at: undefined })
  }
  return result
}

function reflectGlobal(m: Machine): Value {
  return nativeObject({
    ownKeys: native('Reflect.ownKeys', ({ args, at }) => {
      const entries = ownEntries(m, args[0] ?? undefinedValue, at)
      if (!Array.isArray(entries)) return entries
      return array(
        entries.map(([key]) => primitive(key, at)),
        at,
      )
    }),
    get: native('Reflect.get', ({ args, at }) =>
      m.get(args[0] ?? undefinedValue, args[1] ?? undefinedValue, at),
    ),
    has: native('Reflect.has', ({ args, at }) => {
      const key = m.known(args[1] ?? undefinedValue)
      return key.kind === 'primitive'
        ? primitive(m.has(args[0] ?? undefinedValue, String(key.value)), at)
        : unknown('which property is asked for is not known', at)
    }),
  })
}

function symbolGlobal(m: Machine): NativeValue {
  const result = native('Symbol', ({ args, at }) => {
    const description = m.known(args[0] ?? undefinedValue)
    return primitive(Symbol(description.kind === 'primitive' ? String(description.value) : ''), at)
  })
  const registry = native('Symbol.for', ({ args, at }) => {
    const key = m.known(args[0] ?? undefinedValue)
    return key.kind === 'primitive' ? primitive(Symbol.for(String(key.value)), at) : key
  })
  result.members.set('for', { value: registry, at: undefined })
  result.members.set('iterator', { value: primitive(Symbol.iterator, undefined), at: undefined })
  return result
}

function errorGlobal(m: Machine, name: string): NativeValue {
  const build = ({ args, at }: { args: Value[]; at: Node }): Value => {
    const made = object(at)
    const message = args[0] ?? primitive('', at)
    made.members.set('message', { value: message, at })
    made.members.set('name', { value: primitive(name, at), at })
    return made
  }
  void m
  return native(name, build, build)
}

/** A copy that shares nothing; what is not plain stays what it is. */
function clone(m: Machine, value: Value, at: Node): Value {
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
