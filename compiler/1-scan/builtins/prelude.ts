/** Built-in functions that are written in JavaScript and interpreted, so that they follow conditions and promises as other code does. */
import { parse } from '../../util/source/parse.ts'
import type { ts, Node } from '../../util/source/project.ts'
import type { Machine } from '../values/machine.ts'
import { Scope } from '../values/scope.ts'
import { primitive, undefinedValue, type Value } from '../values/index.ts'

const text = `
(() => {
const collect = (list, add) => new Promise((resolve, reject) => {
  const results = []
  let left = 1
  const done = () => { if (--left === 0) resolve(results) }
  for (const one of list) {
    const index = results.push(undefined) - 1
    left++
    add(Promise.resolve(one), (result) => { results[index] = result; done() }, reject)
  }
  done()
})
const all = (list) => collect(list, (one, set, reject) => one.then(set, reject))
const allSettled = (list) => collect(list, (one, set) => one.then(
  (value) => set({ status: 'fulfilled', value }),
  (reason) => set({ status: 'rejected', reason }),
))
const any = (list) => new Promise((resolve, reject) =>
  collect(list, (one, set) => one.then(resolve, (reason) => set(reason))).then((errors) =>
    reject(new AggregateError(errors, 'All promises were rejected'))))
const race = (list) => new Promise((resolve, reject) => {
  for (const one of list) Promise.resolve(one).then(resolve, reject)
})
const afterwards = (promise, callback) => typeof callback !== 'function'
  ? promise.then(callback, callback)
  : promise.then(
      (value) => Promise.resolve(callback()).then(() => value),
      (error) => Promise.resolve(callback()).then(() => { throw error }),
    )
const sleep = (delay, value) => new Promise((resolve) => { setTimeout(resolve, delay, value) })
const turn = (value) => new Promise((resolve) => { setImmediate(resolve, value) })
const listeners = new WeakMap()
class EventEmitter {
  #of(name) {
    if (!listeners.has(this)) listeners.set(this, new Map())
    const all = listeners.get(this)
    if (!all.has(name)) all.set(name, [])
    return all.get(name)
  }
  on(name, listener) { this.#of(name).push(listener); return this }
  prependListener(name, listener) { this.#of(name).unshift(listener); return this }
  once(name, listener) {
    const wrapped = (...args) => { this.off(name, wrapped); return listener.apply(this, args) }
    wrapped.listener = listener
    return this.on(name, wrapped)
  }
  off(name, listener) {
    const list = this.#of(name)
    const index = list.findLastIndex((one) => one === listener || one.listener === listener)
    if (index !== -1) listeners.get(this).set(name, list.toSpliced(index, 1))
    return this
  }
  removeAllListeners(name) {
    if (name === undefined) listeners.delete(this)
    else this.#of(name).length = 0
    return this
  }
  emit(name, ...args) {
    const list = [...this.#of(name)]
    if (list.length === 0 && name === 'error') throw args[0]
    for (const one of list) one.apply(this, args)
    return list.length > 0
  }
  listenerCount(name) { return this.#of(name).length }
  listeners(name) { return this.#of(name).map((one) => one.listener ?? one) }
  setMaxListeners() { return this }
}
function once(emitter, name) {
  return new Promise((resolve, reject) => {
    emitter.once(name, (...args) => { emitter.off('error', reject); resolve(args) })
    if (name !== 'error') emitter.once('error', reject)
  })
}
const { prototype } = EventEmitter
prototype.addListener = prototype.on
prototype.removeListener = prototype.off
Object.assign(EventEmitter, { EventEmitter, once })
const reflect = {
  ownKeys: (owner) => [...Object.getOwnPropertyNames(owner), ...Object.getOwnPropertySymbols(owner)],
  get: (owner, key) => owner[key],
  set: (owner, key, value) => { owner[key] = value; return true },
  has: (owner, key) => key in owner,
  deleteProperty: (owner, key) => delete owner[key],
  apply: (callee, self, list) => callee.call(self, ...Array.from(list)),
  construct: (callee, list) => new callee(...Array.from(list)),
  defineProperty: (owner, key, descriptor) => { Object.defineProperty(owner, key, descriptor); return true },
  setPrototypeOf: (owner, prototype) => { Object.setPrototypeOf(owner, prototype); return true },
  getPrototypeOf: Object.getPrototypeOf,
  getOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
}
const inherits = (child, parent) => {
  Object.setPrototypeOf(child.prototype, parent.prototype)
  child.super_ = parent
}
const defineProperties = (owner, descriptors) => {
  for (const key of Object.keys(descriptors)) Object.defineProperty(owner, key, descriptors[key])
  return owner
}
const getOwnPropertyDescriptors = (owner) => Object.fromEntries(
  reflect.ownKeys(owner).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)]))
function eachEntry(callback, self) {
  for (const [key, value] of this.entries()) callback.call(self, value, key, this)
}
return { all, allSettled, any, race, afterwards, sleep, turn, EventEmitter, reflect, inherits, defineProperties,
  getOwnPropertyDescriptors, eachEntry }
})()
`

let parsed: ts.Expression | undefined
const made = new WeakMap<Machine, Value>()

/** Returns one of the functions. */
export function prelude(m: Machine, name: string): Value {
  if (!made.has(m)) {
    parsed ??= (parse('prelude.js', text).statements[0] as ts.ExpressionStatement).expression
    const { fileName } = m.entryFile.getSourceFile()
    const scope = new Scope(m.modules.globals, fileName, {})
    m.journal.unconditionally(() => void made.set(m, m.evaluate(parsed as ts.Expression, scope)))
  }
  const all = made.get(m) ?? undefinedValue
  return m.get(all, primitive(name, m.entryFile), m.entryFile)
}

export function preluded(m: Machine, name: string, args: Value[], at: Node): Value {
  return m.call(prelude(m, name), undefinedValue, args, at)
}
