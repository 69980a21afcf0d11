/** Runs slices: what definitions say is computed when something asks for it, once. */
import type { Definition, Outcome, Program, Term } from '../protocol.ts'
import { annotationMark } from '../protocol.ts'
import { describeEnvironment, madeOf, propertyOf } from '../../values/environment.ts'
import type { Environment } from '../../values/environment.ts'
import { memberCode } from '../codes.ts'
import { describe, refusal } from './describe.ts'
import * as faults from './faults.ts'
import type { Import } from './modules.ts'
import { exportOf, isLoaded, load } from './modules.ts'
import { toPlainData } from './result.ts'
import * as volatile from './volatile.ts'
import { hasGivenUp, settled, WaitsInVain } from './waiting.ts'

type Result = { readonly value: unknown } | { readonly error: unknown }

const definitions = new Map<string, Definition>()
const results = new Map<string, Result>()

/** Thrown out of a slice when it touches a package that has to be imported first. */
class NeedsImport {
  readonly definition: Import
  constructor(definition: Import) {
    this.definition = definition
  }
}

/** Thrown out of a slice when it awaits a promise. */
class NeedsPromise {
  readonly promise: PromiseLike<unknown>
  readonly id: string
  constructor(promise: PromiseLike<unknown>, id: string) {
    this.promise = promise
    this.id = id
  }
}

/** What the last slice stopped at, in case it caught the exception itself. */
let pending: NeedsImport | NeedsPromise | undefined

const promises = new WeakMap<PromiseLike<unknown>, Result>()

/** @param goesOnWith is told the position of each step, and after those of each root, before it is computed */
export async function answer(
  program: Program,
  goesOnWith: (position: number) => void,
): Promise<Outcome[]> {
  for (const [id, definition] of program.definitions) {
    definitions.set(id, definition)
    results.delete(id)
  }
  for (const [position, id] of program.steps.entries()) {
    if (results.has(id)) continue
    goesOnWith(position)
    await settle(() => result(id)).catch(() => undefined)
  }
  const outcomes: Outcome[] = []
  for (const [position, root] of program.roots.entries()) {
    goesOnWith(program.steps.length + position)
    const outcome = await outcomeOf(root, program.wants)
    outcomes.push(hasGivenUp() ? { ...outcome, isLate: true } : outcome)
  }
  return outcomes
}

async function outcomeOf(root: Term, wants: Program['wants']): Promise<Outcome> {
  try {
    const { value } = await settle(() => evaluate(root))
    return wants === 'shape' ? { type: 'shape', shape: shapeOf(value) } : toPlainData(value)
  } catch (error) {
    const why = describe(error)
    return error instanceof Unavailable
      ? { type: 'failed', why, undecided: error.undecided, awaited: error.awaited }
      : { type: 'failed', why, fault: why === refusal ? undefined : faults.faultOf(error) }
  }
}

/** Runs a slice again and again until all the packages that it touches are loaded. What it gives may be a promise. */
async function settle<T>(run: () => T): Promise<{ readonly value: T }> {
  for (;;) {
    pending = undefined
    volatile.reset()
    let outcome: { readonly value: T } | { readonly error: unknown }
    try {
      outcome = { value: run() }
    } catch (error) {
      outcome = { error }
    }
    const stopped = pending as NeedsImport | NeedsPromise | undefined
    if (stopped instanceof NeedsImport) await load(stopped.definition)
    else if (stopped !== undefined) await wait(stopped)
    else if ('error' in outcome) throw outcome.error
    else return outcome
  }
}

async function wait({ promise, id }: NeedsPromise): Promise<void> {
  try {
    promises.set(promise, { value: await settled(promise) })
  } catch (error) {
    const isInVain = error instanceof WaitsInVain
    promises.set(promise, {
      error: isInVain ? new Unavailable({ why: error.message, awaited: id }) : error,
    })
  }
}

function fulfilled(value: unknown, id: string): unknown {
  const isPromise = typeof value === 'object' && value !== null && 'then' in value
  if (!isPromise || typeof value.then !== 'function') return value
  const promise = value as PromiseLike<unknown>
  const outcome = promises.get(promise)
  if (outcome === undefined) {
    pending = new NeedsPromise(promise, id)
    throw pending
  }
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

function result(id: string): unknown {
  const known = results.get(id)
  if (known !== undefined) {
    if ('error' in known) throw known.error
    return known.value
  }
  const definition = definitions.get(id)
  if (definition === undefined) throw new Error('a part of this expression is missing')
  try {
    const value = define(definition, id)
    const reason = volatile.noted()
    if (pending === undefined && reason !== undefined) throw new Unavailable(reason)
    results.set(id, { value })
    return value
  } catch (thrown) {
    if (pending !== undefined) {
      // What an object or a list has so far is not all of it.
      results.delete(id)
      throw thrown
    }
    // Without its environment a package may fail; then that is the reason.
    const reason = volatile.noted()
    const isKnown = reason === undefined || thrown instanceof Unavailable
    const error = isKnown ? thrown : new Unavailable(reason)
    if (!(error instanceof Unavailable)) faults.note(error, id, definition)
    results.set(id, { error })
    throw error
  }
}

function define(definition: Definition, id: string): unknown {
  switch (definition.type) {
    case 'import':
      return imported(definition)
    case 'code':
      return faults.run(definition.code, compile(definition.code), operandsOf(definition))
    case 'await':
      return fulfilled(evaluate(definition.operand), id)
    case 'array': {
      // Stored before it is filled: an object may contain itself.
      const items: unknown[] = []
      results.set(id, { value: items })
      items.push(...evaluateAll(definition.items))
      return items
    }
    case 'object': {
      const object: Record<string | symbol, unknown> = {}
      results.set(id, { value: object })
      if (definition.base !== undefined) {
        const base = { ...(evaluate(definition.base) as object) }
        Object.defineProperties(object, Object.getOwnPropertyDescriptors(base))
      }
      refuseVariables(definition.members.map(([, term]) => term))
      for (const [key, term] of definition.members) {
        const name = evaluate(key) as string | symbol
        const value = evaluate(term)
        Object.defineProperty(object, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return object
    }
    case 'source':
      return runSource(definition)
  }
}

function evaluate(term: Term): unknown {
  switch (term.t) {
    case 'value':
      return term.value
    case 'symbol':
      return Symbol.for(term.key)
    case 'ref':
      return result(term.id)
    case 'annotation':
      return annotationMark + term.why
    case 'never':
      throw new Unavailable(term)
  }
}

function evaluateAll(terms: readonly Term[]): unknown[] {
  refuseVariables(terms)
  return terms.map(evaluate)
}

/** Where variables decide several parts of something, all of them are named. */
function refuseVariables(parts: readonly Term[]): void {
  const known = parts.flatMap((part) => (part.t === 'never' && part.environment) || [])
  if (known.length > 1) throw ofEnvironment(madeOf(known))
}

function operandsOf({ code, operands }: Extract<Definition, { type: 'code' }>): unknown[] {
  try {
    return evaluateAll(operands)
  } catch (error) {
    const [, key] = operands
    const isMember = code === memberCode && key?.t === 'value'
    if (!isMember || !(error instanceof Unavailable) || error.environment === undefined) throw error
    throw ofEnvironment(propertyOf(error.environment, String(key.value)))
  }
}

function ofEnvironment(environment: Environment): Unavailable {
  return new Unavailable({ why: describeEnvironment(environment), environment })
}

class Unavailable extends Error {
  readonly undecided: boolean
  /** The step that waits for what does not come. */
  readonly awaited: string | undefined
  readonly environment: Environment | undefined
  constructor(reason: volatile.Reason & { undecided?: boolean; awaited?: string }) {
    super(reason.why)
    this.undecided = reason.undecided ?? false
    this.awaited = reason.awaited
    this.environment = reason.environment
  }
}

type Code = (...operands: unknown[]) => unknown

function compile(code: string): Code {
  // oxlint-disable-next-line no-new-func -- running the user's code is what this process is for
  return new Function(`return (${code})`)() as Code
}

/** Free variables of the text resolve to captured values, and are computed when they are read. */
function runSource(definition: Extract<Definition, { type: 'source' }>): unknown {
  const scope = Object.create(null) as Record<string, unknown>
  for (const [name, term] of Object.entries(definition.captures)) {
    let value: { current: unknown } | undefined
    Object.defineProperty(scope, name, {
      enumerable: true,
      get: () => (value ??= { current: evaluate(term) }).current,
      set: (next) => {
        value = { current: next }
      },
    })
  }
  // oxlint-disable-next-line no-new-func -- as above
  const run = new Function('$scope', `with ($scope) { return (${definition.text}\n) }`)
  const value = (run as (scope: object) => object)(scope)
  for (const [key, term] of definition.members) {
    const name = evaluate(key) as string
    const define = (how: PropertyDescriptor): object =>
      Object.defineProperty(value, name, { enumerable: true, configurable: true, ...how })
    define({
      get: () => evaluate(term),
      set: (next: unknown) => define({ value: next, writable: true }),
    })
  }
  return value
}

function imported(definition: Import): unknown {
  if (!isLoaded(definition)) {
    pending = new NeedsImport(definition)
    throw pending
  }
  return exportOf(definition)
}

function shapeOf(value: unknown): Extract<Outcome, { type: 'shape' }>['shape'] {
  if (Array.isArray(value)) return { type: 'array', length: value.length }
  if (typeof value === 'function') return { type: 'function', keys: Object.keys(value) }
  if (typeof value === 'object' && value !== null) {
    return { type: 'object', keys: Object.keys(value), iterable: Symbol.iterator in value }
  }
  return typeof value === 'symbol' ? { type: 'symbol' } : { type: 'primitive', value }
}
