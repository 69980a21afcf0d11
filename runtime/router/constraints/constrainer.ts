import { assert } from '../assert.ts'
import { hostStrategy, versionStrategy } from './strategies.ts'
import type { ConstraintStrategy, Constraints, DeriveDone, RoutableRequest } from '../types.ts'

/** Knows the constraint strategies of a router and reads the constraints of a request. */
export class Constrainer<Req = RoutableRequest> {
  readonly strategies: Map<string, ConstraintStrategy<Req>>
  /** Synchronous strategies that a route asks for, or that every route has to heed. */
  readonly strategiesInUse: Set<string> = new Set()
  readonly asyncStrategiesInUse: Set<string> = new Set()
  /** Strategies whose value in a request excludes routes that do not ask for it. */
  mustMatch: readonly string[] = []
  readonly #custom = new Set<string>()
  /** `strategiesInUse`, resolved: what `derive` goes through for each request. */
  #derivers: ConstraintStrategy<Req>[] = []

  constructor(custom: Readonly<Record<string, ConstraintStrategy<Req>>> | undefined) {
    // They read nothing but headers, which is all that a request type has to have.
    const builtIn = [versionStrategy, hostStrategy] as unknown as ConstraintStrategy<Req>[]
    this.strategies = new Map(builtIn.map((strategy) => [strategy.name, strategy]))
    this.mustMatch = [versionStrategy.name]
    for (const strategy of Object.values(custom ?? {})) {
      this.add(strategy)
    }
  }

  /** Whether routes may use the name: a custom strategy, or a built-in one in use. */
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
      this.#noteUsage(name, strategy)
    }
  }

  /** Checks the constraints of a route and remembers that requests have to be asked for them. */
  use(constraints: Constraints): void {
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
    }
    for (const name in constraints) {
      this.#noteUsage(name, this.strategies.get(name)!)
    }
  }

  /** The values of synchronous strategies; `undefined` when none is in use. */
  derive(req: Req, ctx: unknown): Record<string, unknown> | undefined {
    if (this.#derivers.length === 0) {
      return undefined
    }
    const derived: Record<string, unknown> = {}
    for (const strategy of this.#derivers) {
      derived[strategy.name] = strategy.deriveConstraint(req, ctx)
    }
    return derived
  }

  /** The values of all strategies in use, passed to `done` when the last one is there. */
  deriveAsync(
    req: Req,
    ctx: unknown,
    done: (error: unknown, constraints?: Constraints) => void,
  ): void {
    let derived = this.derive(req, ctx)
    let missing = this.asyncStrategiesInUse.size
    if (missing === 0) {
      done(null, derived)
      return
    }
    derived ??= {}
    for (const name of this.asyncStrategiesInUse) {
      let isTaken = false
      const take: DeriveDone = (error, value) => {
        // A strategy counts once, and none after one has failed.
        if (isTaken || missing === 0) {
          return
        }
        isTaken = true
        if (error) {
          missing = 0
          done(error)
          return
        }
        derived[name] = value
        if (--missing === 0) {
          done(null, derived)
        }
      }
      try {
        const result = this.strategies.get(name)!.deriveConstraint(req, ctx, take) as
          | { then?: unknown }
          | undefined
          | null
        if (typeof result?.then === 'function') {
          // An async function calls back as well; its promise only tells of what goes wrong.
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
    return this.strategiesInUse.has(name) || this.asyncStrategiesInUse.has(name)
  }

  #noteUsage(name: string, strategy: ConstraintStrategy<Req>): void {
    if (this.#custom.has(name) && strategy.deriveConstraint.length === 3) {
      this.asyncStrategiesInUse.add(name)
    } else if (!this.strategiesInUse.has(name)) {
      this.strategiesInUse.add(name)
      this.#derivers.push(strategy)
    }
  }
}
