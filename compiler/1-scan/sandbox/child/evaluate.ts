/** Evaluates definitions, each once and only if something needs it. */
import type { Definition, EvaluationRequest, Outcome, Term } from '../protocol.ts'
import { annotationMark } from '../protocol.ts'
import { describeEnvironment, madeOf, propertyOf } from '../../values/environment.ts'
import type { Environment } from '../../values/environment.ts'
import { memberCode } from '../operations.ts'
import { describe, refusal } from './describe-error.ts'
import * as faults from './faults.ts'
import type { Import } from './packages.ts'
import { exportOf, isLoaded, load } from './packages.ts'
import { toPlainData } from './plain-data.ts'
import { dependency, resetDependency } from './nondeterminism.ts'
import type { Dependency } from './nondeterminism.ts'
import { hasGivenUp, settled, NeverSettles } from './waiting.ts'

type Result = { readonly value: unknown } | { readonly error: unknown }

const definitions = new Map<string, Definition>()
const results = new Map<string, Result>()

/** Thrown when a package must be loaded first, or a promise settled. */
class Interruption {
  readonly wait: () => Promise<void>
  constructor(wait: () => Promise<void>) {
    this.wait = wait
  }
}

/** The last interruption, in case evaluated code has caught the exception. */
let pending: Interruption | undefined

function interrupt(wait: () => Promise<void>): never {
  pending = new Interruption(wait)
  throw pending
}

const promises = new WeakMap<PromiseLike<unknown>, Result>()

/** @param onPosition called with the position of each step and root before it is evaluated */
export async function evaluateRequest(
  request: EvaluationRequest,
  onPosition: (position: number) => void,
): Promise<Outcome[]> {
  for (const [id, definition] of request.definitions) {
    definitions.set(id, definition)
    results.delete(id)
  }
  for (const [position, id] of request.steps.entries()) {
    if (results.has(id)) continue
    onPosition(position)
    await settle(() => result(id)).catch(() => undefined)
  }
  const outcomes: Outcome[] = []
  for (const [position, root] of request.roots.entries()) {
    onPosition(request.steps.length + position)
    const outcome = await outcomeOf(root, request.wants)
    outcomes.push(hasGivenUp() ? { ...outcome, isLate: true } : outcome)
  }
  return outcomes
}

async function outcomeOf(root: Term, wants: EvaluationRequest['wants']): Promise<Outcome> {
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

/** Runs code again and again until all packages that it uses are loaded and all promises that it awaits are settled. */
async function settle<T>(run: () => T): Promise<{ readonly value: T }> {
  for (;;) {
    pending = undefined
    resetDependency()
    let outcome: { readonly value: T } | { readonly error: unknown }
    try {
      outcome = { value: run() }
    } catch (error) {
      outcome = { error }
    }
    const stopped = pending as Interruption | undefined
    if (stopped !== undefined) await stopped.wait()
    else if ('error' in outcome) throw outcome.error
    else return outcome
  }
}

async function waitFor(promise: PromiseLike<unknown>, id: string): Promise<void> {
  try {
    promises.set(promise, { value: await settled(promise) })
  } catch (error) {
    const neverSettles = error instanceof NeverSettles
    promises.set(promise, {
      error: neverSettles ? new Unavailable({ why: error.message, awaited: id }) : error,
    })
  }
}

function fulfilled(value: unknown, id: string): unknown {
  const isPromise = typeof value === 'object' && value !== null && 'then' in value
  if (!isPromise || typeof value.then !== 'function') return value
  const promise = value as PromiseLike<unknown>
  const outcome = promises.get(promise)
  if (outcome === undefined) return interrupt(() => waitFor(promise, id))
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
    const reason = dependency()
    if (pending === undefined && reason !== undefined) throw new Unavailable(reason)
    results.set(id, { value })
    return value
  } catch (thrown) {
    if (pending !== undefined) {
      // An object or list is incomplete so far.
      results.delete(id)
      throw thrown
    }
    // A package may throw because it sees no environment.
    const reason = dependency()
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
      // Stored before it is filled, because it may contain itself.
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
      for (const [key, term, kind] of definition.members) {
        const name = evaluate(key) as string | symbol
        const value = evaluate(term)
        Object.defineProperty(object, name, {
          enumerable: true,
          configurable: true,
          ...(kind === 'getter' ? { get: value as () => unknown } : { value, writable: true }),
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

/** If several parts depend on environment variables, names all of them. */
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
  /** The step that awaits a promise which doesn't settle. */
  readonly awaited: string | undefined
  readonly environment: Environment | undefined
  constructor(reason: Dependency & { undecided?: boolean; awaited?: string }) {
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

/** Evaluates source text. Its free variables resolve to captured values, which are evaluated on first read. */
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
  return isLoaded(definition) ? exportOf(definition) : interrupt(() => load(definition))
}

function shapeOf(value: unknown): Extract<Outcome, { type: 'shape' }>['shape'] {
  if (Array.isArray(value)) return { type: 'array', length: value.length }
  if (typeof value === 'function') return { type: 'function', keys: Object.keys(value) }
  if (typeof value === 'object' && value !== null) {
    return { type: 'object', keys: Object.keys(value), iterable: Symbol.iterator in value }
  }
  return typeof value === 'symbol' ? { type: 'symbol' } : { type: 'primitive', value }
}
