import type { PackagePlugin, SeenHook, SeenPlugin } from '../../model/index.ts'
import type { Node } from '../project.ts'
import type { InstanceValue, Value } from './index.ts'
import type { Branch } from './machine.ts'

/** One encapsulation context while the application is being followed. */
export interface ContextRecord {
  readonly name: string
  /** The full prefix. */
  readonly prefix: string
  /** Whether all of it is known; what is not is left out of it. */
  readonly isPrefixKnown: boolean
  readonly at: Node
  readonly branches: readonly Branch[]
  readonly parent: ContextRecord | undefined
  readonly root: RootRecord
  readonly operations: Operation[]
  readonly onRoute: Value[]
  readonly onRegister: Value[]
  /** All that hold for its routes, in the order in which they are added. */
  readonly hooks: SeenHook[]
  readonly plugins: SeenPlugin[]
  readonly compilers: CompilerState
}

/** What was done to the compilers of a context so far. */
export interface CompilerState {
  /** Those that were set, here or around it before it was created. */
  readonly set: Set<Which>
  /** Those that the context builds with a factory of its own. */
  readonly built: Set<Which>
  /** Those that were set here and stay, whatever is added. */
  readonly kept: Set<Which>
  /** Whether a validator compiler was ever set. */
  keepsHeaders: boolean
  /** Whether it was given schemas since it was created. */
  hasAdded: boolean
}

export type Which = 'validator' | 'serializer'

/** What all contexts of one application share. */
export interface RootRecord {
  readonly at: Node
  /** The argument of the factory. */
  readonly options: Value
  /** Plugins that are being loaded, innermost last; the first entry is the application itself. */
  readonly loading: Loading[]
  /** The URLs of HEAD routes so far: a GET route beside one is given no other. */
  readonly heads: Set<string>
  /** Methods that the application has added. */
  readonly methods: string[]
  /** Those of them whose requests have a body. */
  readonly withBody: string[]
  /** Set when a plugin of a package was registered: it may have added decorators. */
  hasPackagePlugins: boolean
  /** What @fastify/swagger is given first, and where. */
  documentation?: { readonly context: ContextRecord; readonly options: Value; readonly at: Node }
  /** Those of them whose export is known. */
  readonly packagePlugins: PackagePlugin[]
}

export interface Loading {
  readonly instance: InstanceValue
  /** The name of a wrapped plugin, which loads into the context of another one. */
  readonly plugin: string | undefined
  readonly queue: Task[]
}

/** A plugin, or a callback given to `after`, that waits for its turn. */
export interface Task {
  readonly branches: readonly Branch[]
  run(server: InstanceValue): void
}

export type Operation =
  | { readonly type: 'route'; readonly route: RouteRecord }
  | {
      readonly type: 'schema'
      readonly schema: Value
      readonly at: Node
      readonly branches: readonly Branch[]
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
  /** GET is its method in the way in which Fastify gives it a HEAD twin. */
  readonly wantsTwin: boolean
  readonly at: Node
  readonly branches: readonly Branch[]
  readonly hooks: readonly SeenHook[]
  readonly isDocumented: boolean
  /** The HEAD routes that Fastify adds, if hooks have changed their schemas. */
  readonly twins: readonly RouteRecord[]
}
