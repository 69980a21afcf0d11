/** The global variables. */
import type { Machine } from '../values/machine.ts'
import { Scope } from '../values/scope.ts'
import {
  addMembers,
  native,
  object,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Value } from '../values/index.ts'
import { collectionConstructor } from './lists/collections.ts'
import { objectGlobal, reflectGlobal } from './object.ts'
import { addPrototypes } from './prototypes.ts'
import { processGlobal } from './process.ts'
import { promiseGlobal } from './promise.ts'
import { conversion, mathGlobal, pure } from './functions.ts'
import { arrayGlobal, dateGlobal, errorGlobal, symbolGlobal } from './constructors.ts'
import { clone, jsonGlobal } from './json.ts'

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

/** Creates the scope of the global variables. */
export function createGlobals(m: Machine): Scope {
  const scope = new Scope(undefined, '', {})
  const globals: Record<string, Value> = {
    Object: objectGlobal(m),
    Array: arrayGlobal(m),
    Function: native('Function', ({ at }) => unknown('its code is created from a string', at)),
    JSON: jsonGlobal(m),
    Map: collectionConstructor(m, 'map'),
    WeakMap: collectionConstructor(m, 'map'),
    Set: collectionConstructor(m, 'set'),
    WeakSet: collectionConstructor(m, 'set'),
    Date: dateGlobal(m),
    Promise: promiseGlobal(m),
    Reflect: reflectGlobal(m),
    Symbol: symbolGlobal(m),
    Math: mathGlobal(m),
    Number: conversion(m, 'Number', Number),
    String: conversion(m, 'String', String),
    Boolean: conversion(m, 'Boolean', Boolean),
    process: processGlobal(m),
    console: consoleGlobal(),
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
  for (const plain of [
    parseInt,
    parseFloat,
    isNaN,
    isFinite,
    encodeURIComponent,
    decodeURIComponent,
    encodeURI,
    decodeURI,
    atob,
    btoa,
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
    // The callback runs later, but before the plugin around it is done.
    globals[name] = native(name, ({ args, at }) =>
      m.external.callUnknown(unknown('it is the result of a timer', at), args, at),
    )
  }
  addPrototypes(m, globals)
  for (const [name, value] of Object.entries(globals)) scope.declare(name, value)
  for (const name of constructors) {
    scope.declareLive(name, () => m.deferrals.code(`() => ${name}`, [], m.entryFile))
  }
  for (const name of volatileGlobals) {
    scope.declareLive(name, () =>
      unknown(`\`${name}\` gives other values in each run`, m.entryFile),
    )
  }
  const self = object(undefined, {
    computeMember: (key) => {
      const binding = typeof key === 'string' ? scope.own(key) : undefined
      return binding?.read?.() ?? binding?.value ?? undefinedValue
    },
  })
  addMembers(self, globals)
  scope.declare('globalThis', self)
  scope.declare('global', self)
  for (const name of names) {
    if (scope.own(name) !== undefined) continue
    // The global exists, so `typeof` must not return 'undefined'.
    scope.declareLive(name, () => unknown(`the build cannot evaluate \`${name}\``, m.entryFile))
  }
  return scope
}

/** Prints nothing. */
function consoleGlobal(): Value {
  const print = native('console', () => undefinedValue)
  return objectOf(Object.fromEntries(Object.keys(console).map((name) => [name, print])))
}
