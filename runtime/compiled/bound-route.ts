import type {
  Artifact,
  Digest,
  ReadFunctions,
  RouteBinding,
  RouteTarget,
  RouteToCheck,
  TakeOption,
} from '../artifact/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import { isExact } from '../artifact/json.ts'

/** A function that was found, and the part that it is for. */
export interface BoundFunction {
  readonly target: RouteTarget
  readonly artifact: Artifact
  readonly digest: Digest
  readonly take: TakeOption
}

/** A route whose functions are looked up. An object rather than closures, because a start creates thousands. */
export interface RouteToBind {
  /** Finds each function separately, with the given compilers. */
  findEach(validator: unknown, serializer: unknown): readonly BoundFunction[]
}

/** The part of a bound route that all routes with the same compilers share. */
export interface Binding extends RouteBinding {
  readonly validator: unknown
  readonly serializer: unknown
  readonly take: TakeOption
  /** The artifact that may recognize whole routes. */
  readonly artifact: Artifact | undefined
  /** True if errors are kept for the route's first request instead of being thrown. */
  readonly defersErrors: boolean
}

/** The error for a schema that contains more than the JSON that its function was found by. */
export class InexactSchemaError extends Error {
  readonly target: RouteTarget
  constructor(target: RouteTarget) {
    super('it inherits or hides members, or has a toJSON, so that it is more than its JSON says')
    this.target = target
  }
}

/**
 * A route whose functions are being looked up. They are determined once everything is declared; later changes
 * of the schema object have no effect.
 */
export class BoundRoute implements RouteToCheck {
  // Declared without an initial value, because a start creates thousands.
  declare readonly schema: RouteSchema
  declare readonly binding: Binding
  declare private readonly route: RouteToBind
  /** The functions, once they are known. */
  declare private found: readonly BoundFunction[] | null
  /** The error for its first request, if any. */
  declare private error: unknown
  declare private read: ReadFunctions | undefined

  constructor(route: RouteToBind, schema: RouteSchema, binding: Binding) {
    this.schema = schema
    this.binding = binding
    this.route = route
    this.found = null
    this.error = null
    this.read = undefined
  }

  /** Returns whether a route with the same schema, such as its HEAD twin, uses the same functions. */
  isTwin(schema: RouteSchema, binding: Binding): boolean {
    return this.schema === schema && this.binding === binding
  }

  /** @param read is undefined if its functions have to be looked up separately */
  find(read: ReadFunctions | undefined): void {
    this.read = read
    if (read !== undefined) return
    try {
      this.found = this.route.findEach(this.binding.validator, this.binding.serializer)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Stores or throws an error. */
  fail(error: unknown): void {
    if (!this.binding.defersErrors) throw error
    this.error = error
  }

  /**
   * Returns the functions, request parts first. Only here are the schemas checked to be plain data: checking
   * all of them at startup would take as long as the rest of their comparison.
   *
   * @throws InexactSchemaError, or the error passed to `fail`
   */
  functions(): readonly BoundFunction[] {
    if (this.error !== null) throw this.error
    if (this.found !== null) return this.found
    const { artifact, take } = this.binding
    if (artifact === undefined || this.read === undefined) {
      throw new Error('The functions of a route were read before they were looked up')
    }
    this.found = this.read().map(({ target, schema, digest }) => {
      if (!isExact(schema)) throw new InexactSchemaError(target)
      return { target, artifact, digest, take }
    })
    this.read = undefined
    return this.found
  }
}
