import { assert } from '../assert.ts'
import { hostStrategy, versionStrategy } from './strategies.ts'
import type { ConstraintStrategy, Constraints, DeriveDone, RoutableRequest } from '../types.ts'

/** The constraint strategies of a router. Reads the constraint values of requests. */
export class Constrainer<Req extends RoutableRequest = RoutableRequest> {
  readonly strategies: Map<string, ConstraintStrategy<Req>>
  /** Strategies whose value in a request excludes routes without this constraint. */
  mustMatch: readonly string[] = []
  readonly #custom = new Set<string>()
  /** Strategies that a route uses, or that apply to all routes. */
  readonly #sync: ConstraintStrategy<Req>[] = []
  readonly #async: ConstraintStrategy<Req>[] = []

  constructor(custom: Readonly<Record<string, ConstraintStrategy<Req>>> | undefined) {
    const builtIn: ConstraintStrategy<Req>[] = [versionStrategy, hostStrategy]
    this.strategies = new Map(builtIn.map((strategy) => [strategy.name, strategy]))
    this.mustMatch = [versionStrategy.name]
    for (const strategy of Object.values(custom ?? {})) {
      this.add(strategy)
    }
  }

  /** True if values of requests are only known later. */
  get isAsync(): boolean {
    return this.#async.length > 0
  }

  /** Returns whether there is a custom strategy of that name, or a built-in one is used. */
  has(name: string): boolean {
    return this.#custom.has(name) || this.#isUsed(name)
  }

  add(strategy: ConstraintStrategy<Req>): void {
    const { name } = strategy
    assert(typeof name === 'string' && name !== '', 'strategy.name is required.')
    assert(typeof strategy.storage === 'function', 'strategy.storage function is required.')
    assert(
      typeof strategy.deriveConstraint === 'function',
      'strategy.deriveConstraint function is required.',
    )
    if (this.#custom.has(name)) {
      throw new Error(`There already exists a custom constraint with the name ${name}.`)
    }
    if (this.#isUsed(name)) {
      throw new Error(`There already exists a route with ${name} constraint.`)
    }
    this.#custom.add(name)
    this.strategies.set(name, strategy)
    this.mustMatch = this.mustMatch.filter((each) => each !== name)
    if (strategy.mustMatchWhenDerived) {
      this.mustMatch = [...this.mustMatch, name]
      this.#noteUsage(strategy)
    }
  }

  /** Checks the constraints of a route, and reads them from requests from now on. */
  use(constraints: Constraints): void {
    const strategies: ConstraintStrategy<Req>[] = []
    for (const name in constraints) {
      const value = constraints[name]
      if (value === undefined) {
        throw new Error("Can't pass an undefined constraint value, must pass null or no key at all")
      }
      const strategy = this.strategies.get(name)
      if (strategy === undefined) {
        throw new Error(`No strategy registered for constraint key ${name}`)
      }
      strategy.validate?.(value)
      strategies.push(strategy)
    }
    for (const strategy of strategies) this.#noteUsage(strategy)
  }

  /** Returns the values of synchronous strategies, or `undefined` if none is used. */
  derive(req: Req, ctx: unknown): Record<string, unknown> | undefined {
    if (this.#sync.length === 0) {
      return undefined
    }
    const derived: Record<string, unknown> = {}
    for (const strategy of this.#sync) {
      derived[strategy.name] = strategy.deriveConstraint(req, ctx)
    }
    return derived
  }

  /** Calls back with the values of all strategies in use. */
  deriveAsync(
    req: Req,
    ctx: unknown,
    done: (error: unknown, constraints?: Constraints) => void,
  ): void {
    let derived = this.derive(req, ctx)
    let missing = this.#async.length
    if (missing === 0) {
      done(null, derived)
      return
    }
    derived ??= {}
    for (const strategy of this.#async) {
      let isTaken = false
      const take: DeriveDone = (error, value) => {
        // Ignore repeated calls, and all calls after an error.
        if (isTaken || missing === 0) {
          return
        }
        isTaken = true
        if (error) {
          missing = 0
          done(error)
          return
        }
        derived[strategy.name] = value
        if (--missing === 0) {
          done(null, derived)
        }
      }
      try {
        const result = strategy.deriveConstraint(req, ctx, take) as
          | { then?: unknown }
          | undefined
          | null
        if (typeof result?.then === 'function') {
          // An async function calls back as well. Its promise only reports errors.
          const fail = (reason: unknown): void => take((reason || new Error('rejected')) as Error)
          ;(result as PromiseLike<unknown>).then(undefined, fail)
        }
      } catch (thrown) {
        missing = 0
        throw thrown
      }
    }
  }

  #isUsed(name: string): boolean {
    return [...this.#sync, ...this.#async].some((strategy) => strategy.name === name)
  }

  #noteUsage(strategy: ConstraintStrategy<Req>): void {
    if (this.#isUsed(strategy.name)) return
    // As in find-my-way: a custom strategy with a callback as its third parameter is asynchronous.
    const isAsync = this.#custom.has(strategy.name) && strategy.deriveConstraint.length === 3
    ;(isAsync ? this.#async : this.#sync).push(strategy)
  }
}
