import { errorCodes } from '../errors/index.ts'
import { createAssertionError, requiredModules } from '../platform/index.ts'
import { satisfies } from './version-range.ts'

/** Marks a plugin that registers into its parent's context. */
export const kSkipOverride: unique symbol = Symbol.for('skip-override')
/** Holds what a wrapped plugin says about itself. */
export const kPluginMeta: unique symbol = Symbol.for('plugin-meta')
/** Holds the name that a wrapped plugin goes by. */
export const kDisplayName: unique symbol = Symbol.for('fastify.display-name')

/** What a plugin may say about itself; written by users, so nothing of it is sure. */
export interface PluginMeta {
  readonly name?: string
  /** The range that the instance's version must be in. */
  readonly fastify?: string
  /** Names of plugins that must be registered before. */
  readonly dependencies?: readonly string[]
  /** Decorators that must be there before. */
  readonly decorators?: {
    readonly fastify?: readonly (string | symbol)[]
    readonly request?: readonly (string | symbol)[]
    readonly reply?: readonly (string | symbol)[]
  }
}

/** What registering a plugin asks of the instance that it is registered on. */
export interface PluginHost {
  readonly version: string
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
}

type Marked = Function & {
  readonly [kSkipOverride]?: unknown
  readonly [kPluginMeta]?: PluginMeta
  readonly [kDisplayName]?: string
}

/** Where the names of the plugins are kept that others can depend on. */
export interface PluginNames {
  readonly registeredPlugins: string[]
}

/**
 * Notes the plugin's name in the context and checks what the plugin says that it needs.
 *
 * Returns whether it registers into `instance` itself instead of into a child.
 *
 * @throws FST_ERR_PLUGIN_VERSION_MISMATCH, FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE, or an AssertionError for
 * a missing dependency
 */
export function registerPlugin(
  instance: PluginHost,
  context: PluginNames,
  plugin: object,
): boolean {
  const { [kPluginMeta]: meta, [kSkipOverride]: skipsOverride } = plugin as Marked
  if (meta) {
    if (meta.name) context.registeredPlugins.push(meta.name)
    checkVersion(instance, meta)
    checkDecorators(instance, meta)
    checkDependencies(context, meta)
  }
  return Boolean(skipsOverride)
}

/** The name that a wrapped plugin goes by. */
export function nameOfPlugin(plugin: object): string {
  return (plugin as Marked)[kDisplayName] ?? ''
}

/** The name of the context that a plugin gets: its display name, its CommonJS file, its function name or its first lines. */
export function nameOfContext(plugin: object): string {
  return nameOfPlugin(plugin) || fileOf(plugin) || (plugin as Marked).name || firstLinesOf(plugin)
}

/** The name that errors and `printPlugins` show for what was registered with `options`. */
export function nameInBoot(plugin: object, options: unknown): string {
  const { [kPluginMeta]: meta, name } = plugin as Partial<Marked>
  if (meta?.name) return meta.name
  const chosen = (options as { name?: string } | null | undefined)?.name
  return chosen || name || firstLinesOf(plugin)
}

function firstLinesOf(plugin: object): string {
  const lines = String(plugin).split('\n').slice(0, 2)
  return lines.map((line) => line.trim()).join(' -- ')
}

let requireCache: NodeJS.Require['cache'] | undefined

/** The CommonJS module that exports the plugin. */
function fileOf(plugin: object): string | undefined {
  const cache = (requireCache ??= requiredModules())
  for (const file in cache) {
    if (cache[file]?.exports === plugin) return file
  }
  return undefined
}

function checkVersion({ version }: PluginHost, { name, fastify: range }: PluginMeta): void {
  if (!range || satisfies(version, range)) return
  throw new errorCodes.FST_ERR_PLUGIN_VERSION_MISMATCH(name, range, version)
}

function checkDecorators(instance: PluginHost, { name, decorators }: PluginMeta): void {
  if (!decorators) return
  const { fastify, reply, request } = decorators
  const check = (
    where: string,
    needed: readonly (string | symbol)[] | undefined,
    isPresent: (decorator: string | symbol) => boolean,
  ): void => {
    if (!needed) return
    assert(Array.isArray(needed), 'The decorators should be an array of strings')
    for (const decorator of needed) {
      if (isPresent.call(instance, decorator)) continue
      const by = typeof name === 'string' ? ` required by '${name}'` : ''
      throw new errorCodes.FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE(decorator, by, where)
    }
  }
  check('Fastify', fastify, instance.hasDecorator)
  check('Reply', reply, instance.hasReplyDecorator)
  check('Request', request, instance.hasRequestDecorator)
}

function checkDependencies(
  { registeredPlugins }: PluginNames,
  { name, dependencies }: PluginMeta,
): void {
  if (!dependencies) return
  assert(Array.isArray(dependencies), 'The dependencies should be an array of strings')
  for (const dependency of dependencies) {
    const isRegistered = registeredPlugins.includes(dependency)
    assert(isRegistered, `The dependency '${dependency}' of plugin '${name}' is not registered`)
  }
}

function assert(condition: boolean, message: string): void {
  if (condition) return
  throw createAssertionError(message)
}
