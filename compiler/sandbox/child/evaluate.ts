/** Evaluates definitions when something needs them, and keeps their results. */
import type { Definition, EvaluationRequest, Outcome, Term } from '../protocol.ts'
import { annotationMark, memberCode } from '../protocol.ts'
import { describeEnvironment, mergeEnvironments, propertyOf } from '../environment.ts'
import type { Environment } from '../environment.ts'
import { describe, refusal } from './describe-error.ts'
import * as faults from './faults.ts'
import { exportOf, keyOf, load } from './packages.ts'
import { toPlainData } from './plain-data.ts'
import { dependency, resetDependency, type Dependency } from './nondeterminism.ts'
import { hasGivenUp, settled, NeverSettles } from './waiting.ts'

type Result = { readonly value: unknown } | { readonly error: unknown }

const definitions = new Map<string, Definition>()
const results = new Map<string, Result>()

/** Waits until a package is loaded, or a promise is settled. Set even if evaluated code has caught the exception. */
let pending: (() => Promise<void>) | undefined

/** The results of waiting, by promise or by the key of an import. */
const awaited = new Map<unknown, Result>()

/** Returns the result of waiting. If that isn't known yet, throws, and the evaluation is repeated when it is. */
function resultOfWaiting<T>(key: unknown, wait: () => PromiseLike<T>): T {
  const settledResult = awaited.get(key)
  if (settledResult === undefined) {
    pending = async () => {
      try {
        awaited.set(key, { value: await wait() })
      } catch (error) {
        awaited.set(key, { error })
      }
    }
    throw new Error('The evaluation is interrupted')
  }
  if ('error' in settledResult) throw settledResult.error
  return settledResult.value as T
}

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
    await runUntilSettled(() => result(id)).catch(() => undefined)
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
    const { value } = await runUntilSettled(() => evaluate(root))
    return wants === 'shape' ? { type: 'shape', shape: shapeOf(value) } : toPlainData(value)
  } catch (error) {
    const why = describe(error)
    return error instanceof Unavailable
      ? { type: 'failed', why, undecided: error.reason.undecided, awaited: error.reason.awaited }
      : { type: 'failed', why, fault: why === refusal ? undefined : faults.faultOf(error) }
  }
}

/** Runs code again and again until all packages that it uses are loaded and all promises that it awaits are settled. */
async function runUntilSettled<T>(run: () => T): Promise<{ readonly value: T }> {
  for (;;) {
    pending = undefined
    resetDependency()
    let outcome: { readonly value: T } | { readonly error: unknown }
    try {
      outcome = { value: run() }
    } catch (error) {
      outcome = { error }
    }
    const wait = pending as (() => Promise<void>) | undefined
    if (wait !== undefined) await wait()
    else if ('error' in outcome) throw outcome.error
    else return outcome
  }
}

function fulfilled(value: unknown, id: string): unknown {
  const isPromise = typeof value === 'object' && value !== null && 'then' in value
  if (!isPromise || typeof value.then !== 'function') return value
  return resultOfWaiting(value, () =>
    settled(value as PromiseLike<unknown>).catch((error: unknown) => {
      throw error instanceof NeverSettles
        ? new Unavailable({ why: error.message, awaited: id })
        : error
    }),
  )
}

function result(id: string): unknown {
  const cached = results.get(id)
  if (cached !== undefined) {
    if ('error' in cached) throw cached.error
    return cached.value
  }
  const definition = definitions.get(id)
  if (definition === undefined) throw new Error('a part of this expression is missing')
  try {
    const value = define(definition, id)
    const reason = dependency()
    if (pending === undefined && reason !== undefined) throw new Unavailable(reason, true)
    results.set(id, { value })
    return value
  } catch (thrown) {
    if (pending !== undefined) {
      // It is evaluated again after the wait: don't keep an object or list that is incomplete.
      results.delete(id)
      throw thrown
    }
    // Code may throw because of something that it has read, such as an environment variable, which the sandbox hides.
    const reason = dependency()
    const isCause = reason === undefined || thrown instanceof Unavailable
    const error = isCause ? thrown : new Unavailable(reason, true)
    if (!(error instanceof Unavailable)) faults.note(error, id)
    results.set(id, { error })
    throw error
  }
}

function define(definition: Definition, id: string): unknown {
  switch (definition.type) {
    case 'import':
      return exportOf(
        definition,
        resultOfWaiting(keyOf(definition), () => load(definition)),
      )
    case 'code':
      for (const earlier of definition.after ?? []) runEarlier(earlier)
      return faults.run(id, definition.code, compile(definition.code), operandsOf(definition))
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
      refuseEnvironments(definition.members.map(([, term]) => term))
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

/** Runs a step for its effect. What it throws doesn't count, unless that is because something isn't known. */
function runEarlier(id: string): void {
  try {
    result(id)
  } catch (error) {
    if (pending !== undefined) throw error
    // A call that reads the clock is mostly one of a logger.
    const isTimed = (one: Unavailable): boolean =>
      one.hasRun && one.reason.environment === undefined
    if (error instanceof Unavailable && !isTimed(error)) throw error
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
  refuseEnvironments(terms)
  return terms.map(evaluate)
}

/** Throws if several parts depend on environment variables, to name all of them. A single one throws when it is evaluated. */
function refuseEnvironments(parts: readonly Term[]): void {
  const environments = parts.flatMap((part) => (part.t === 'never' && part.environment) || [])
  if (environments.length > 1) throw ofEnvironment(mergeEnvironments(environments))
}

function operandsOf({ code, operands }: Extract<Definition, { type: 'code' }>): unknown[] {
  try {
    return evaluateAll(operands)
  } catch (error) {
    const [, key] = operands
    const isMember = code === memberCode && key?.t === 'value'
    const environment = error instanceof Unavailable ? error.reason.environment : undefined
    if (!isMember || environment === undefined) throw error
    throw ofEnvironment(propertyOf(environment, String(key.value)))
  }
}

function ofEnvironment(environment: Environment): Unavailable {
  return new Unavailable({ why: describeEnvironment(environment), environment })
}

type Reason = Dependency & Pick<Extract<Outcome, { type: 'failed' }>, 'undecided' | 'awaited'>

/** The value exists only in the running application. */
class Unavailable extends Error {
  readonly reason: Reason
  /** True if code has read it while it ran, so that its effect was made. */
  readonly hasRun: boolean

  constructor(reason: Reason, hasRun = false) {
    super(reason.why)
    this.reason = reason
    this.hasRun = hasRun
  }
}

type Code = (...operands: unknown[]) => unknown

function compile(code: string): Code {
  // oxlint-disable-next-line no-new-func -- running the user's code is what this process is for
  return new Function(`return (${code})`)() as Code
}

/** Evaluates source text. Variables that it captures are evaluated when they are read. */
function runSource(definition: Extract<Definition, { type: 'source' }>): unknown {
  const scope = Object.create(null) as object
  for (const [name, term] of Object.entries(definition.captures)) defineLazily(scope, name, term)
  // oxlint-disable-next-line no-new-func -- as above
  const run = new Function('$scope', `with ($scope) { return (${definition.text}\n) }`)
  const value = (run as (scope: object) => object)(scope)
  for (const [key, term] of definition.members) defineLazily(value, evaluate(key) as string, term)
  return value
}

function defineLazily(owner: object, name: string, term: Term): void {
  const define = (descriptor: PropertyDescriptor): object =>
    Object.defineProperty(owner, name, { enumerable: true, configurable: true, ...descriptor })
  define({
    get: () => evaluate(term),
    set: (next: unknown) => define({ value: next, writable: true }),
  })
}

function shapeOf(value: unknown): Extract<Outcome, { type: 'shape' }>['shape'] {
  if (Array.isArray(value)) return { type: 'array', length: value.length }
  if (typeof value === 'function') return { type: 'function', keys: Object.keys(value) }
  if (typeof value === 'object' && value !== null) {
    return { type: 'object', keys: Object.keys(value), iterable: Symbol.iterator in value }
  }
  return typeof value === 'symbol' ? { type: 'symbol' } : { type: 'primitive', value }
}
