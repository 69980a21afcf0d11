import type { Artifact, Digest, RouteLines, RouteToCheck, TakeOption } from '../artifact/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import { isExact } from '../artifact/json.ts'
import type { RouteFactories, RouteTarget } from '../artifact/route-slots.ts'

/** A function that was found, and what it is for. */
export interface BoundFunction {
  readonly target: RouteTarget
  readonly artifact: Artifact
  readonly digest: Digest
  readonly take: TakeOption
}

/** What a route is for who binds it. An object, because a start makes no functions for each of a thousand routes. */
export interface RouteToBind {
  /** Finds each function by itself, by the compilers that it is bound with. */
  findEach(validator: unknown, serializer: unknown): readonly BoundFunction[]
}

/** A schema is more than its JSON says, by which its function was found. */
export class InexactSchemaError extends Error {
  readonly target: RouteTarget
  constructor(target: RouteTarget) {
    super('it inherits or hides members, or has a toJSON, so that it is more than its JSON says')
    this.target = target
  }
}

/**
 * A route whose functions are looked up. Which ones they are is settled when everything is declared: what happens to the
 * schema object afterwards counts for nothing.
 */
export class BoundRoute implements RouteToCheck {
  // Declared and not defined: a start makes thousands.
  declare readonly schema: RouteSchema
  declare readonly factories: RouteFactories
  declare readonly isCustom: boolean
  declare private readonly route: RouteToBind
  declare private readonly validator: unknown
  declare private readonly serializer: unknown
  declare private readonly take: TakeOption
  declare private readonly mayWait: boolean
  declare private each: readonly BoundFunction[] | null
  /** What is wrong with it, when its first request is to say so. */
  declare private error: unknown
  declare private artifact: Artifact | null
  declare private lines: RouteLines | null
  declare private start: number
  declare private nth: number
  declare private slots: readonly unknown[] | null
  declare private at: number

  /** @param mayWait what is wrong is kept for the first request instead of being thrown */
  constructor(
    route: RouteToBind,
    schema: RouteSchema,
    validator: unknown,
    serializer: unknown,
    factories: RouteFactories,
    isCustom: boolean,
    take: TakeOption,
    mayWait: boolean,
  ) {
    this.schema = schema
    this.factories = factories
    this.isCustom = isCustom
    this.route = route
    this.validator = validator
    this.serializer = serializer
    this.take = take
    this.mayWait = mayWait
    this.each = null
    this.error = null
    this.artifact = null
    this.lines = null
    this.start = 0
    this.nth = 0
    this.slots = null
    this.at = 0
  }

  /** Whether a route with the same schema, such as the one for HEAD, needs the very same functions. */
  isTwin(schema: RouteSchema, factories: RouteFactories, isCustom: boolean): boolean {
    return (
      this.schema === schema &&
      this.factories.validators === factories.validators &&
      this.factories.serializers === factories.serializers &&
      this.isCustom === isCustom
    )
  }

  checkBy(artifact: Artifact): void {
    this.artifact = artifact
    artifact.routes.add(this)
  }

  found(
    lines: RouteLines,
    start: number,
    nth: number,
    slots: readonly unknown[],
    at: number,
  ): void {
    this.lines = lines
    this.start = start
    this.nth = nth
    this.slots = slots
    this.at = at
  }

  checkEach(): void {
    try {
      this.each = this.route.findEach(this.validator, this.serializer)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Takes down what is wrong with it, or throws that. */
  fail(error: unknown): void {
    if (!this.mayWait) throw error
    this.error = error
  }

  /**
   * Request parts first. Whether its schemas are plain data is asked only here, of the very objects that were compared:
   * to ask it of all schemas would take a start as long as all the rest of their check.
   *
   * @throws InexactSchemaError, and what `fail` was called with
   */
  functions(): readonly BoundFunction[] {
    if (this.error !== null) throw this.error
    if (this.each !== null) return this.each
    const { artifact, lines, slots } = this
    if (artifact === null || lines === null || slots === null) {
      throw new Error('A route is asked for its functions before it was checked')
    }
    const functions = lines.functionsOf(this.start, this.nth, slots, this.at)
    this.each = functions.map(({ target, schema, digest }) => {
      if (!isExact(schema)) throw new InexactSchemaError(target)
      return { target, artifact, digest, take: this.take }
    })
    this.slots = null
    return this.each
  }
}
