/** `framework/plugin`: wraps a plugin so that it registers into its parent's context. */
import { kDisplayName, kPluginMeta, kSkipOverride } from './boot/plugin-meta.ts'
import { callerOf } from './errors/stack-limit.ts'
import type * as types from './types/plugin.ts'

export type { PluginMetadata, PluginOptions } from './types/plugin.ts'

let anonymous = 0

/** The properties that wrapping adds to the function. */
interface Wrapped {
  [kSkipOverride]: boolean
  [kDisplayName]: string
  [kPluginMeta]: types.PluginMetadata
  [name: string]: unknown
}

/**
 * Marks a plugin and returns it.
 *
 * @param given the plugin, or a module with it as its default export
 * @param metadata the plugin's name and requirements, or a version range; the default name is made
 * from that of the function or file
 * @throws TypeError for other values
 */
function wrap(given: unknown, metadata: types.PluginMetadata | string = {}): unknown {
  const main = (given as { default?: unknown }).default
  const plugin = main === undefined ? given : main
  if (typeof plugin !== 'function') {
    throw new TypeError(`fastify-plugin expects a function, instead got a '${typeof plugin}'`)
  }
  const meta = typeof metadata === 'string' ? { fastify: metadata } : metadata
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    throw new TypeError('The options object should be an object')
  }
  if (meta.fastify !== undefined && typeof meta.fastify !== 'string') {
    const kind = typeof meta.fastify
    throw new TypeError(`fastify-plugin expects a version string, instead got '${kind}'`)
  }
  const isNamed = Boolean(meta.name)
  const name = meta.name || `${plugin.name || callerFile()}-auto-${anonymous++}`
  meta.name = name
  const wrapped = plugin as unknown as Wrapped
  wrapped[kSkipOverride] = meta.encapsulate !== true
  wrapped[kDisplayName] = name
  wrapped[kPluginMeta] = meta
  // For `import plugin from` and `import { pluginName } from` a CommonJS module that exports the plugin.
  wrapped['default'] ||= plugin
  if (isNamed) wrapped[toCamelCase(name)] ||= plugin
  return plugin
}

/** Name of the calling file as fastify-plugin shortens it, for plugins without a name. */
function callerFile(): string {
  const place = callerOf(wrap, 1).stack?.split('\n')[1]?.split(/[/\\]/).at(-1) ?? ''
  return /([\w.]*)\../.exec(place)?.[1] ?? 'anonymous'
}

/** Converts `@scope/some-name` to `scopeSomeName`. */
function toCamelCase(name: string): string {
  const flat = name.startsWith('@') ? name.slice(1).replace('/', '-') : name
  return flat.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

const plugin: types.PluginWrapper = Object.assign(wrap, {
  default: wrap,
  fastifyPlugin: wrap,
}) as never

/** Types for `import plugin = require('framework/plugin')`. */
declare namespace plugin {
  export type PluginMetadata = types.PluginMetadata
  export type PluginOptions = types.PluginOptions
}

export { plugin as default, plugin as fastifyPlugin }
