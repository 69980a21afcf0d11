/** The global variables. */
import type { Machine } from '../values/machine.ts'
import { readBinding, Scope } from '../values/scope.ts'
import {
  addMembers,
  native,
  object,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
  typeOf,
} from '../values/index.ts'
import type { ObjectValue, Value } from '../values/index.ts'
import { collectionConstructor } from './lists/collections.ts'
import { objectGlobal } from './object.ts'
import { addPrototypes } from './prototypes.ts'
import { partlyKnown, processGlobal } from './process.ts'
import { prelude } from './prelude.ts'
import { pure } from './functions.ts'
import { arrayGlobal, conversion, errorGlobal, staticsOf, symbolGlobal } from './constructors.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import { promiseGlobal } from './promises.ts'
import { timerGlobals } from './timers.ts'
import { clone } from './clone.ts'
import { toValue } from './plain.ts'

/** Globals that the sandbox provides, because the interpreter can't represent their objects. */
const deferred = 'RegExp Date URL URLSearchParams Intl Uint8Array Buffer TextEncoder'.split(' ')

/** Values of these differ from run to run. */
const volatileGlobals = ['fetch', 'performance', 'crypto']

export function createGlobals(m: Machine): Scope {
  const scope = new Scope(undefined, '', {})
  const random = native('Math.random', ({ at }) => unknown('it is a random number', at))
  const log = (name: string): Value => native(`console.${name}`, () => undefinedValue)
  const globals: Record<string, Value> = {
    Object: objectGlobal(m),
    Array: arrayGlobal(m),
    Function: native('Function', ({ at }) => unknown('its code is created from a string', at)),
    JSON: objectOf({ ...staticsOf(m, JSON, 'JSON'), parse: parseJson(m) }),
    Map: collectionConstructor(m, 'Map'),
    WeakMap: collectionConstructor(m, 'WeakMap'),
    Set: collectionConstructor(m, 'Set'),
    WeakSet: collectionConstructor(m, 'WeakSet'),
    Promise: promiseGlobal(m),
    Symbol: symbolGlobal(m),
    Math: objectOf({ ...staticsOf(m, Math, 'Math'), random }),
    Number: conversion(m, 'Number', Number),
    String: conversion(m, 'String', String),
    Boolean: conversion(m, 'Boolean', Boolean),
    process: processGlobal(m),
    console: objectOf(Object.fromEntries(Object.keys(console).map((name) => [name, log(name)]))),
    structuredClone: native('structuredClone', ({ args, at }) =>
      clone(m, args[0] ?? undefinedValue, at),
    ),
    NaN: primitive(Number.NaN, undefined),
    Infinity: primitive(Infinity, undefined),
    undefined: undefinedValue,
  }
  const names = Object.getOwnPropertyNames(globalThis)
  for (const name of names.filter((one) => one.endsWith('Error'))) {
    globals[name] = errorGlobal(name)
  }
  const pureNames = /^(?:parse|is|encode|decode)[A-Z]|^(?:atob|btoa)$/
  for (const name of names.filter((one) => pureNames.test(one))) {
    globals[name] = pure(m, name, Reflect.get(globalThis, name) as (...args: never[]) => unknown)
  }
  Object.assign(globals, timerGlobals(m))
  addPrototypes(m, globals)
  for (const [name, value] of Object.entries(globals)) scope.declare(name, value)
  for (const name of deferred) {
    scope.declareLive(name, () => m.deferrals.code(`() => ${name}`, [], m.entryFile))
  }
  let reflect: Value | undefined
  scope.declareLive('Reflect', () => (reflect ??= reflectGlobal(m)))
  const self = object(undefined, {
    computeMember: (key) => {
      const binding = typeof key === 'string' ? scope.own(key) : undefined
      return readBinding(binding) ?? undefinedValue
    },
  })
  addMembers(self, globals)
  scope.declare('globalThis', self)
  scope.declare('global', self)
  for (const name of names) {
    if (scope.own(name) !== undefined) continue
    const why = volatileGlobals.includes(name)
      ? `\`${name}\` gives other values in each run`
      : `the build cannot evaluate \`${name}\``
    // The global exists, so `typeof` must not return 'undefined'.
    scope.declareLive(name, () => unknown(why, m.entryFile))
  }
  return scope
}

/** Packages such as `reflect-metadata` add functions. Helpers of TypeScript look for two of them, and work the same without. */
function reflectGlobal(m: Machine): Value {
  const { members } = prelude(m, 'reflect') as ObjectValue
  const known = Object.fromEntries([...members].map(([name, { value }]) => [name, value]))
  return partlyKnown(known, (key, at) =>
    typeof key === 'symbol' || key === 'decorate' || key === 'metadata'
      ? undefinedValue
      : unknown(`a package such as \`reflect-metadata\` may add \`Reflect.${key}\``, at),
  )
}

function parseJson(m: Machine): Value {
  return native('JSON.parse', ({ args: [given = undefinedValue, reviver], at }) => {
    if (reviver !== undefined && typeOf(reviver) !== 'undefined')
      return m.deferrals.code('(t, r) => JSON.parse(t, r)', [given, reviver], at)
    const text = m.known(given)
    if (text.kind === 'primitive') {
      const parsed: unknown = attempt(() => JSON.parse(String(text.value)) as unknown, at)
      return toValue(parsed, at)
    }
    const why = text.kind === 'unknown' ? text : unknown('the text to parse is not known', at)
    mayThrow(m, why, at)
    return why
  })
}
