/** Encapsulation contexts and routes as the scan records them. */
import type {
  PackagePlugin,
  ScannedContext,
  ScannedRoute,
  SeenHook,
  SeenPlugin,
} from '../../model/index.ts'
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Node } from '../../util/source/project.ts'
import type { InstanceValue, Value } from './index.ts'
import type { Branch } from './machine.ts'
import type { Thrown } from './thrown.ts'

/** An encapsulation context during the scan. */
export interface ContextRecord extends Pick<ScannedContext, 'name' | 'prefix' | 'isPrefixKnown'> {
  readonly at: Node
  readonly branches: readonly Branch[]
  readonly parent: ContextRecord | undefined
  readonly root: RootRecord
  readonly operations: Operation[]
  readonly onRoute: Value[]
  readonly onRegister: Value[]
  /** All hooks of its routes, in the order in which they are added. */
  readonly hooks: HookRecord[]
  readonly plugins: SeenPlugin[]
  readonly compilers: CompilerState
}

/** How the compilers of a context were set so far. */
export interface CompilerState {
  /** Compilers set in this context, or in a parent before this context was created. */
  readonly set: Set<CompilerKind>
  /** Compilers built by `setSchemaController`, here or in a parent before this context was created. */
  readonly built: Set<CompilerKind>
  /** Compilers set in this context, which added schemas don't replace. */
  readonly kept: Set<CompilerKind>
  /** Header schemas aren't changed once a validator compiler was set, even if another one compiles them. */
  keepsHeaders: boolean
  /** Set once schemas were added to this context, or to a parent after this context was created. A new schema controller resets it. */
  hasAdded: boolean
}

export type CompilerKind = 'validator' | 'serializer'

/** State shared by all contexts of one application. */
export interface RootRecord {
  readonly at: Node
  /** The line of the factory; undefined for the package `fastify`, which may be any line. */
  readonly line: LineName | undefined
  /** The argument of the factory. */
  readonly options: Value
  /** Plugins that are being loaded, innermost last; the first entry is the application itself. */
  readonly loading: Loading[]
  /** URLs of the HEAD routes so far. A GET route with the same URL gets no HEAD twin. */
  readonly headUrls: Set<string>
  /** Methods that the application has added. */
  readonly methods: string[]
  /** Added methods whose requests have a body. */
  readonly withBody: string[]
  /** Set when a plugin of a package was registered: it may have added decorators. */
  hasPackagePlugins: boolean
  /** Set when a compiler isn't one of a package: it may do anything when it's called. */
  hasOwnCompilers: boolean
  /** The error of a plugin, until a callback of `after` takes it. */
  failure?: { readonly error: Thrown; report(): void } | undefined
  /** An error that a plugin of a package may have ended with, until a callback of `after` takes it. */
  possible?: Thrown | undefined
  /** The first options of @fastify/swagger. */
  documentation?: { readonly context: ContextRecord; readonly options: Value; readonly at: Node }
  /** Plugins of packages whose export is known. */
  readonly packagePlugins: PackagePlugin[]
}

export interface Loading {
  readonly instance: InstanceValue
  /** The name of a plugin that was wrapped by `fastify-plugin`. */
  readonly plugin: string | undefined
  readonly branches: readonly Branch[]
  readonly queue: Task[]
}

/** A plugin, or a callback given to `after`, that waits for its turn. */
interface Task {
  readonly branches: readonly Branch[]
  run(server: InstanceValue): void
}

type Operation =
  | { readonly type: 'route'; readonly route: RouteRecord }
  | {
      readonly type: 'schema'
      readonly schema: Value
      readonly at: Node
      readonly branches: readonly Branch[]
    }
  | { readonly type: 'child'; readonly context: ContextRecord }
  | { readonly type: 'compiler'; readonly which: CompilerKind }

/** A hook as it is added. It is described at the end, when all exports that may name its function are known. */
export interface HookRecord extends Pick<SeenHook, 'hook' | 'plugin' | 'isConditional'> {
  readonly value: Value
  readonly at: Node
  /** Set for hooks of routes: there, Fastify ignores `undefined`. */
  readonly isOfRoute: boolean
}

export interface RouteRecord extends Pick<
  ScannedRoute,
  'methods' | 'path' | 'wantsTwin' | 'isDocumented'
> {
  readonly hooks: readonly HookRecord[]
  readonly trailingSlash: ScannedRoute['prefixTrailingSlash']
  /** The route options, after the `onRoute` hooks. */
  readonly options: Value
  readonly at: Node
  readonly branches: readonly Branch[]
  /** The HEAD twins, if hooks have changed their schemas. */
  readonly twins: readonly RouteRecord[]
}
