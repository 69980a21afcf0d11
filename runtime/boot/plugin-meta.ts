/** Reads and checks the metadata of plugins: name, version range, dependencies and decorators. */
import { errorCodes } from '../errors/index.ts'
import { createAssertionError, requiredModules } from '../platform/index.ts'
import type { PluginMetadata } from '../types/plugin.ts'
import { isNewer, satisfies } from './version-range.ts'

/** Marks a plugin that is registered in the context of its parent. */
export const kSkipOverride: unique symbol = Symbol.for('skip-override')
/** The metadata of a plugin. */
export const kPluginMeta: unique symbol = Symbol.for('plugin-meta')
/** The display name of a plugin. */
export const kDisplayName: unique symbol = Symbol.for('fastify.display-name')

/** The members of an instance that the checks call. */
interface PluginHost {
  readonly version: string
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
}

type WrappedPlugin = Function & {
  readonly [kSkipOverride]?: unknown
  /** It isn't validated. */
  readonly [kPluginMeta]?: PluginMetadata
  readonly [kDisplayName]?: string
}

export type TimeoutCode = 'AVV_ERR_READY_TIMEOUT' | 'AVV_ERR_PLUGIN_EXEC_TIMEOUT'

/** Requirements of a line on plugins. */
export interface PluginRules {
  /** True if a plugin that takes no callback and returns no promise is loaded once it returns. */
  readonly endsShortPlugins: boolean
  /** True if what follows an `after` or `ready` callback comes in the next tick. */
  readonly endsInNextTick: boolean
  /** The code of the error for a plugin that is late. */
  readonly timeoutCode: TimeoutCode
  /** @throws if a plugin can't be called */
  assertFunction(plugin: object, name: string): void
  createDependencyError(dependency: string, name: string | undefined): Error
  /** Splits off the end of a release candidate's version, with which plugins for an older release may be tried. */
  readonly candidate: RegExp
}

/** The names of the plugins that are registered in a context. */
interface PluginNames {
  readonly registeredPlugins: string[]
}

/**
 * Adds the plugin's name to the context, and checks its requirements.
 *
 * @returns whether it is registered on `instance` itself instead of a child
 *
 * @throws FST_ERR_PLUGIN_VERSION_MISMATCH, FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE, an AssertionError for invalid metadata, or an error
 * of `rules`
 */
export function registerPlugin(
  instance: PluginHost,
  context: PluginNames,
  plugin: object,
  rules: PluginRules,
): boolean {
  const { [kPluginMeta]: meta, [kSkipOverride]: skipsOverride } = plugin as WrappedPlugin
  if (meta?.name) context.registeredPlugins.push(meta.name)
  rules.assertFunction(plugin, meta?.name || nameOfContext(plugin))
  if (meta) {
    checkVersion(instance, meta, rules)
    checkDecorators(instance, meta)
    checkDependencies(context, meta, rules)
  }
  return Boolean(skipsOverride)
}

/** Returns the display name of a plugin. */
export function nameOfPlugin(plugin: object): string {
  return (plugin as WrappedPlugin)[kDisplayName] ?? ''
}

/** Returns the name of a plugin's context: its display name, CommonJS file, function name or first lines. */
export function nameOfContext(plugin: object): string {
  return (
    nameOfPlugin(plugin) || fileOf(plugin) || (plugin as WrappedPlugin).name || firstLinesOf(plugin)
  )
}

/** Returns the name of a plugin in errors and `printPlugins`. */
export function nameInBoot(plugin: object, options: unknown): string {
  const { [kPluginMeta]: meta, name } = plugin as Partial<WrappedPlugin>
  if (meta?.name) return meta.name
  const chosen = (options as { name?: string } | null | undefined)?.name
  return chosen || name || firstLinesOf(plugin)
}

function firstLinesOf(plugin: object): string {
  const lines = String(plugin).split('\n').slice(0, 2)
  return lines.map((line) => line.trim()).join(' -- ')
}

let requireCache: NodeJS.Require['cache'] | undefined

/** Returns the CommonJS module that exports the plugin. */
function fileOf(plugin: object): string | undefined {
  const cache = (requireCache ??= requiredModules())
  for (const file in cache) {
    if (cache[file]?.exports === plugin) return file
  }
  return undefined
}

function checkVersion(
  { version }: PluginHost,
  { name, fastify: range }: PluginMetadata,
  { candidate: pattern }: PluginRules,
): void {
  // Fastify lets plugins for an older release be tried with a release candidate, which applications may set as their version.
  const [release = '', candidate] = version.split(pattern)
  if (!range || (candidate !== undefined && isNewer(release, range))) return
  if (satisfies(release, range)) return
  throw new errorCodes.FST_ERR_PLUGIN_VERSION_MISMATCH(name, range, version)
}

function checkDecorators(instance: PluginHost, { name, decorators }: PluginMetadata): void {
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
  { name, dependencies }: PluginMetadata,
  rules: PluginRules,
): void {
  if (!dependencies) return
  assert(Array.isArray(dependencies), 'The dependencies should be an array of strings')
  for (const dependency of dependencies) {
    if (registeredPlugins.includes(dependency)) continue
    throw rules.createDependencyError(dependency, name)
  }
}

function assert(condition: boolean, message: string): void {
  if (condition) return
  throw createAssertionError(message)
}
