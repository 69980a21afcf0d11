// STUB
import { createRequire } from 'node:module'
import type { Context } from './context.ts'
import type { Instance } from './model.ts'
const lib = createRequire(import.meta.url)('fastify/lib/pluginUtils.js')
export function registerPlugin(instance: Instance, context: Context, plugin: object): boolean {
  const that = Object.create(instance)
  that[lib.registeredPlugins] = context.registeredPlugins
  return lib.registerPlugin.call(that, plugin)
}
export function nameOfPlugin(plugin: object): string {
  return lib.getDisplayName(plugin)
}
export function nameOfContext(plugin: object): string {
  return lib.getPluginName(plugin) || lib.getFuncPreview(plugin)
}
