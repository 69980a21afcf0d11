/** Promises: how they are settled, and what waits for them. */
import { forEachOption } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { optionsOf } from '../values/choices.ts'
import {
  absent,
  addMembers,
  array,
  isCallable,
  native,
  object,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type {
  NativeValue,
  ObjectValue,
  PromiseObject,
  PromiseState,
  Value,
} from '../values/index.ts'
import { memberCode } from '../../sandbox/protocol.ts'
import { addPossible, Exit, possibleError, Thrown } from '../values/thrown.ts'
import type { Node } from '../../util/source/project.ts'
import type { Binding } from '../values/scope.ts'
import { functions, invoke, type Builtin, type Builtins } from './functions.ts'
import { preluded } from './prelude.ts'

/** The outcome of a promise that isn't settled. */
const pending = absent

export function newPromise(at: Node): PromiseObject {
  const promise: PromiseState = { outcome: { value: pending }, reactions: [], isHandled: false }
  return object(at, { promise }) as PromiseObject
}

export function isPromise(value: Value): value is PromiseObject {
  return value.kind === 'object' && value.promise !== undefined
}

/** The functions that reject a promise. */
const rejecting = new WeakMap<Value, PromiseState>()

function settle(m: Machine, { promise, at }: PromiseObject, outcome: Value): void {
  const place = at ?? m.entryFile
  forEachOption(m, promise.outcome.value as Value, place, (one) => {
    if (one !== pending) return undefinedValue
    m.journal.setBinding(promise.outcome, outcome)
    for (const job of promise.reactions) {
      const others = m.branches.filter(
        ({ condition }) => !job.branches.some((known) => known.condition === condition),
      )
      const excludes = job.branches.some(({ condition, index }) =>
        m.branches.some((known) => known.condition === condition && known.index !== index),
      )
      if (!excludes) m.jobs.add({ ...job, branches: [...others, ...job.branches] })
    }
    return undefinedValue
  })
}

export function reject(m: Machine, promise: PromiseObject, error: Thrown): void {
  promise.promise.error = error
  const status = primitive('rejected', error.at)
  settle(m, promise, objectOf({ status, reason: error.value }, error.at))
  if (m.branches.length === 0) m.rejections.push(promise.promise)
}

/** Fulfills a promise with a value, or makes it follow another one. */
export function resolve(m: Machine, promise: PromiseObject, value: Value, at: Node): void {
  const fulfill = (one: Value): Value => {
    settle(m, promise, objectOf({ status: primitive('fulfilled', at), value: one }, at))
    return undefinedValue
  }
  const mayReject = (why: string): void => {
    promise.promise.possible ??= possibleError(why, at)
  }
  const follow = (one: Value): Value => {
    switch (one.kind) {
      case 'instance':
        later(() => {
          m.boot.settle(one)
          const { failure, possible } = one.context.root
          promise.promise.possible ??= failure?.error ?? possible
          if (failure !== undefined) promise.promise.rejectsHandlers = true
          fulfill(one)
        })
        return undefinedValue
      case 'unknown':
        mayReject(one.why)
        if (one.missing !== undefined) {
          const code = { code: primitive('ERR_MODULE_NOT_FOUND', at) }
          addMembers(promise.promise.possible?.value as ObjectValue, code)
          promise.promise.rejectsHandlers = true
        }
        return fulfill(one)
      case 'deferred':
        if (one.source.op === 'code' && one.source.code !== memberCode)
          mayReject('a package may reject it')
        return fulfill(m.deferrals.awaited(one, one.at))
      case 'object': {
        if (one.promise !== undefined) {
          later(() =>
            react(m, one as PromiseObject, () => adopt(m, promise, one as PromiseObject), at),
          )
          return undefinedValue
        }
        const then = m.get(one, primitive('then', at), at)
        if (!isCallable(then)) return fulfill(one)
        const [yes, no] = resolvers(m, promise)
        later(() => void m.call(then, one, [yes, no], at))
        return undefinedValue
      }
      default:
        return fulfill(one)
    }
  }
  const later = (run: () => void): void => m.jobs.add(m.jobs.create(() => attempt(m, promise, run)))
  const isSplit = optionsOf(value).some(({ kind }) => kind !== 'primitive')
  if (isSplit) forEachOption(m, value, at, follow)
  else fulfill(value)
}

/** Runs something for a promise, which is rejected if it throws. */
export function attempt(m: Machine, promise: PromiseObject, run: () => void): void {
  const before = m.thrown.length
  m.tries.captures++
  try {
    run()
  } catch (error) {
    if (!(error instanceof Thrown) || error instanceof Exit) throw error
    reject(m, promise, error)
  } finally {
    m.tries.captures--
    const [possible] = m.thrown.splice(before)
    if (possible !== undefined) promise.promise.possible ??= possible
  }
}

/** Settles a promise as another one is settled. */
function adopt(m: Machine, promise: PromiseObject, from: PromiseObject): void {
  const { error, outcome, possible } = from.promise
  if (possible !== undefined) promise.promise.possible ??= possible
  if (error !== undefined) promise.promise.error = error
  settle(m, promise, outcome.value as Value)
}

/** Calls something once a promise is settled. Reacts separately where that depends on a condition. */
export function react(m: Machine, { promise }: PromiseObject, run: () => void, at: Node): void {
  promise.isHandled = true
  const outcome = promise.outcome.value as Value
  const job = m.jobs.create(run)
  if (!optionsOf(outcome).includes(pending)) m.jobs.add(job)
  else {
    forEachOption(m, outcome, at, (one) => {
      if (one === pending) promise.reactions.push(m.jobs.create(run))
      else m.jobs.add(m.jobs.create(run))
      return undefinedValue
    })
  }
}

/** Returns the value that a promise is fulfilled with, or throws what it is rejected with. */
export function outcomeOf(m: Machine, { promise }: PromiseObject, at: Node): Value {
  const { error, possible, rejectsHandlers } = promise
  const outcome = promise.outcome.value as Value
  if (possible !== undefined) {
    if (rejectsHandlers === true && m.tries.inFunction > 0) throw possible
    addPossible(m, possible)
  }
  const isAlwaysPending = optionsOf(outcome).every((one) => one === pending)
  return forEachOption(m, outcome, at, (one) => {
    if (one === pending) {
      const why = unknown('it is a promise that is settled later', at)
      if (isAlwaysPending) return why
      // Nothing after it runs under this condition.
      throw new Exit(why, at)
    }
    if (one.kind !== 'object') return one
    const reason = one.members.get('reason')?.value
    if (reason === undefined) return one.members.get('value')?.value ?? undefinedValue
    throw error?.value === reason ? error : new Thrown(reason, at)
  })
}

/** `Promise.resolve` */
export function toPromise(m: Machine, value: Value, at: Node): PromiseObject {
  if (isPromise(value)) return value
  const promise = newPromise(at)
  resolve(m, promise, value, at)
  return promise
}

/** Calls a function and returns a promise of its result, which is rejected if the function throws. */
export function promiseOf(m: Machine, run: () => Value, at: Node): PromiseObject {
  const promise = newPromise(at)
  attempt(m, promise, () => resolve(m, promise, run(), at))
  return promise
}

/**
 * Waits for a value where the code around it can't be left: other jobs run meanwhile. Loose code runs none, since the rest of the program
 * doesn't depend on it: a promise that isn't settled yet is unknown there.
 */
export function awaitInPlace(m: Machine, value: Value, at: Node): Value {
  const promise = toPromise(m, value, at)
  if (m.loose !== undefined) return outcomeOf(m, promise, at)
  let isDone = false
  react(m, promise, () => void (isDone = true), at)
  m.jobs.runUntil(() => isDone)
  return outcomeOf(m, promise, at)
}

export function chain(
  m: Machine,
  { promise: from }: PromiseObject,
  onFulfilled: Value,
  onRejected: Value,
  at: Node,
): PromiseObject {
  const derived = newPromise(at)
  const handles = (handler: Value): boolean => isCallable(handler) || handler.kind === 'deferred'
  const run = (handler: Value, value: Value): void =>
    attempt(m, derived, () => resolve(m, derived, m.call(handler, undefinedValue, [value], at), at))
  const ofOutcome = (): void =>
    forEachOption(m, from.outcome.value as Value, at, (one): void => {
      const reason = one.kind === 'object' ? one.members.get('reason')?.value : undefined
      if (reason === undefined) {
        const value = one.kind === 'object' ? one.members.get('value')?.value : one
        if (handles(onFulfilled)) run(onFulfilled, value ?? undefinedValue)
        else resolve(m, derived, value ?? undefinedValue, at)
      } else if (handles(onRejected)) run(onRejected, reason)
      else reject(m, derived, from.error?.value === reason ? from.error : new Thrown(reason, at))
    })
  const reaction = (): void => {
    const { possible, rejectsHandlers } = from
    const passedTo = rejecting.get(onRejected) ?? derived.promise
    if (possible === undefined) ofOutcome()
    else if (handles(onRejected) && passedTo === derived.promise) {
      const handle = (): void => run(onRejected, possible.value)
      if (rejectsHandlers === true) handle()
      else m.fork([ofOutcome, handle], at)
    } else {
      passedTo.possible ??= possible
      if (rejectsHandlers === true) passedTo.rejectsHandlers = true
      ofOutcome()
    }
  }
  react(m, { ...derived, promise: from }, reaction, at)
  return derived
}

/** The functions that a promise's executor gets. Only the first call counts, under each condition. */
function resolvers(m: Machine, promise: PromiseObject): [NativeValue, NativeValue] {
  const isUsed: Binding = { value: primitive(false, undefined) }
  const once = (name: string, use: (value: Value, at: Node) => void): NativeValue =>
    native(name, ({ args: [value = undefinedValue], at }) =>
      forEachOption(m, isUsed.value as Value, at, (used) => {
        if (used.kind === 'primitive' && used.value === true) return undefinedValue
        m.journal.setBinding(isUsed, primitive(true, at))
        use(value, at)
        return undefinedValue
      }),
    )
  const no = once('reject', (value, at) => reject(m, promise, new Thrown(value, at)))
  rejecting.set(no, promise.promise)
  return [once('resolve', (value, at) => resolve(m, promise, value, at)), no]
}

function method(run: Builtin<PromiseObject>): Builtin {
  return ({ m, self, at }, ...args) =>
    isPromise(self)
      ? invoke(run, { m, self, at }, args)
      : unknown('a method of promises is called on something else', at)
}

export const promiseMethods: Builtins = {
  // oxlint-disable-next-line no-thenable -- It's a table of names.
  then: method(({ m, self, at }, onFulfilled, onRejected) =>
    chain(m, self, onFulfilled as Value, onRejected as Value, at),
  ),
  catch: method(({ m, self, at }, onRejected) =>
    chain(m, self, undefinedValue, onRejected as Value, at),
  ),
  finally: method(({ m, self, at }, callback) =>
    preluded(m, 'afterwards', [self, callback as Value], at),
  ),
}

export function promiseGlobal(m: Machine): NativeValue {
  const result = native(
    'Promise',
    ({ at }) => unknown('it is called without `new`', at),
    ({ args: [run = undefinedValue], at }) => {
      const promise = newPromise(at)
      attempt(m, promise, () => void m.call(run, undefinedValue, resolvers(m, promise), at))
      return promise
    },
  )
  const combined = (name: string): NativeValue =>
    native(`Promise.${name}`, ({ args: [list = undefinedValue], at }) => {
      const items = m.iterate(list, at)
      return Array.isArray(items)
        ? preluded(m, name, [array(items, at)], at)
        : toPromise(m, items, at)
    })
  const settling: Builtins = {
    resolve: ({ at }, value) => toPromise(m, value ?? undefinedValue, at),
    reject: ({ at }, value) => {
      const promise = newPromise(at)
      reject(m, promise, new Thrown(value ?? undefinedValue, at))
      return promise
    },
  }
  const statics = functions(m, 'Promise', settling, forEachOption)
  const combinators = ['all', 'allSettled', 'any', 'race'].map((name) => [name, combined(name)])
  return addMembers(result, { ...statics, ...Object.fromEntries(combinators) })
}
