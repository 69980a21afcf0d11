import type { Arm } from '../interpreter/machine.ts'
import type { InstanceValue, Value } from '../interpreter/values.ts'
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
}

/** What all contexts of one application share. */
export interface RootRecord {
  readonly at: Node
  /** The argument of the factory. */
  readonly options: Value
  /** Plugins that are being loaded, innermost last; the first entry is the application itself. */
  readonly loading: Loading[]
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
  | { readonly type: 'compiler'; readonly which: 'validator' | 'serializer' }

export interface RouteRecord {
  readonly methods: readonly string[]
  /** As written, without the prefix. */
  readonly path: string
  readonly trailingSlash: 'both' | 'slash' | 'no-slash'
  /** The object whose `schema` counts, as `onRoute` hooks have left it. */
  readonly options: Value
  readonly at: Node
  readonly arms: readonly Arm[]
}

/** Operations of a context that descendants inherit, nearest first. */
export function* lineage(context: ContextRecord): Iterable<ContextRecord> {
  for (let one: ContextRecord | undefined = context; one !== undefined; one = one.parent) yield one
}
