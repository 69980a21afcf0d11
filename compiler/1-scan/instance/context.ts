import type { CompilersInUse } from '../../model.ts'
import type { Arm } from '../values/machine.ts'
import type { InstanceValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

/** One encapsulation context while the application is being followed. */
export interface ContextRecord {
  readonly name: string
  /** The full prefix. */
  readonly prefix: string
  readonly at: Node
  readonly arms: readonly Arm[]
  readonly parent: ContextRecord | undefined
  readonly root: RootRecord
  readonly operations: Operation[]
  readonly onRoute: Value[]
  readonly onRegister: Value[]
  readonly compilers: CompilerState
}

/** What was done to the compilers of a context so far. */
export interface CompilerState {
  /** Those that were set, here or around it before it was created. */
  readonly set: Set<Which>
  /** Those that the context builds with a factory of its own. */
  readonly built: Set<Which>
  /** Whether a validator compiler was ever set. */
  keepsHeaders: boolean
  /** Whether it was given schemas since it was created. */
  hasAdded: boolean
}

export type Which = 'validator' | 'serializer'

/** How a context starts: with what has been set around it by now. */
export function inheritCompilers(parent: ContextRecord | undefined): CompilerState {
  const set = new Set<Which>()
  for (let one = parent; one !== undefined; one = one.parent) {
    for (const which of one.compilers.set) set.add(which)
  }
  return {
    set,
    built: new Set(parent?.compilers.built),
    keepsHeaders: parent?.compilers.keepsHeaders ?? false,
    hasAdded: false,
  }
}

/** Schemas are handed on to the contexts that are there. */
export function noteSchema(context: ContextRecord): void {
  context.compilers.hasAdded = true
  for (const child of childrenOf(context)) noteSchema(child)
}

export function* childrenOf({ operations }: ContextRecord): Iterable<ContextRecord> {
  for (const operation of operations) if (operation.type === 'child') yield operation.context
}

export function compilersInUse({ compilers }: ContextRecord): CompilersInUse {
  const { set, built, keepsHeaders, hasAdded } = compilers
  const choose = (which: Which): 'own' | undefined =>
    (set.has(which) && !hasAdded) || built.has(which) ? 'own' : undefined
  return { validator: choose('validator'), serializer: choose('serializer'), keepsHeaders }
}

/** What all contexts of one application share. */
export interface RootRecord {
  readonly at: Node
  /** The argument of the factory. */
  readonly options: Value
  /** Plugins that are being loaded, innermost last; the first entry is the application itself. */
  readonly loading: Loading[]
  /** The URLs of HEAD routes so far: a GET route beside one is given no other. */
  readonly heads: Set<string>
  /** Set when a plugin of a package was registered: it may have added decorators. */
  hasPackagePlugins: boolean
}

export interface Loading {
  readonly instance: InstanceValue
  readonly queue: Task[]
}

/** A plugin, or a callback given to `after`, that waits for its turn. */
export interface Task {
  readonly arms: readonly Arm[]
  run(server: InstanceValue): void
}

export type Operation =
  | { readonly type: 'route'; readonly route: RouteRecord }
  | {
      readonly type: 'schema'
      readonly schema: Value
      readonly at: Node
      readonly arms: readonly Arm[]
    }
  | { readonly type: 'child'; readonly context: ContextRecord }
  | { readonly type: 'compiler'; readonly which: Which }

export interface RouteRecord {
  readonly methods: readonly string[]
  /** As written, without the prefix. */
  readonly path: string
  readonly trailingSlash: 'both' | 'slash' | 'no-slash'
  /** The object whose `schema` counts, as `onRoute` hooks have left it. */
  readonly options: Value
  readonly at: Node
  readonly arms: readonly Arm[]
  /** The HEAD routes that Fastify adds, if hooks have changed their schemas. */
  readonly twins: readonly RouteRecord[]
}

/** Operations of a context that descendants inherit, nearest first. */
export function* lineage(context: ContextRecord): Iterable<ContextRecord> {
  for (let one: ContextRecord | undefined = context; one !== undefined; one = one.parent) yield one
}
