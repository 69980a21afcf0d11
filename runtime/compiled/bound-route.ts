import type {
  Artifact,
  Digest,
  RouteBinding,
  RouteLines,
  RouteToCheck,
  TakeOption,
} from '../artifact/index.ts'
import type { Handle } from '../artifact/handles/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import { isExact } from '../artifact/json.ts'
import type { RouteTarget } from '../artifact/route-slots.ts'

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

/** How routes are bound that have the same compilers. */
export interface Binding extends RouteBinding {
  readonly validator: unknown
  readonly serializer: unknown
  readonly take: TakeOption
  /** The one that may tell of a route as a whole. */
  readonly artifact: Artifact | undefined
  /** What is wrong with a route is kept for its first request instead of being thrown. */
  readonly mayWait: boolean
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
  declare readonly handle: Handle | undefined
  declare readonly binding: Binding
  declare private readonly route: RouteToBind
  declare private each: readonly BoundFunction[] | null
  /** What is wrong with it, when its first request is to say so. */
  declare private error: unknown
  declare private lines: RouteLines | null
  declare private start: number
  declare private nth: number
  declare private slots: readonly unknown[] | null
  declare private at: number

  constructor(
    route: RouteToBind,
    schema: RouteSchema,
    handle: Handle | undefined,
    binding: Binding,
  ) {
    this.schema = schema
    this.handle = handle
    this.binding = binding
    this.route = route
    this.each = null
    this.error = null
    this.lines = null
    this.start = 0
    this.nth = 0
    this.slots = null
    this.at = 0
  }

  /** Whether a route with the same schema, such as the one for HEAD, needs the very same functions. */
  isTwin(schema: RouteSchema, binding: Binding): boolean {
    return this.schema === schema && this.binding === binding
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
      this.each = this.route.findEach(this.binding.validator, this.binding.serializer)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Takes down what is wrong with it, or throws that. */
  fail(error: unknown): void {
    if (!this.binding.mayWait) throw error
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
    const { lines, slots } = this
    const { artifact, take } = this.binding
    if (artifact === undefined || lines === null || slots === null) {
      throw new Error('A route is asked for its functions before it was checked')
    }
    const functions = lines.functionsOf(this.start, this.nth, slots, this.at)
    this.each = functions.map(({ target, schema, digest }) => {
      if (!isExact(schema)) throw new InexactSchemaError(target)
      return { target, artifact, digest, take }
    })
    this.slots = null
    return this.each
  }
}
