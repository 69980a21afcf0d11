import { contextOf, createChildContext, type ContextOptions } from '../context/index.ts'
import type { Instance } from '../serve/model.ts'
import type { NotFound } from '../route/not-found.ts'
import { nameOfContext, nameOfPlugin, registerPlugin } from '../boot/plugin-meta.ts'
import type { BootReady } from './ready.ts'
import { bindSchemaGetters } from './schema.ts'
import { kContext } from '../serve/symbols.ts'

/**
 * Returns the instance for a plugin: a child of the one that it is registered on, or that one itself for a
 * plugin with `skip-override`, which fastify-plugin sets.
 *
 * @throws FST_ERR_PLUGIN_* for a version or decorator that the plugin requires; for a missing dependency, the error of the line
 */
export function encapsulate(
  parent: Instance,
  plugin: object,
  options: ContextOptions,
  bootReady: BootReady,
  notFound: NotFound,
): Instance {
  const context = contextOf(parent)
  if (registerPlugin(parent, context, plugin, context.app.line.plugins)) {
    context.pluginNames.push(nameOfPlugin(plugin))
    return parent
  }
  const child = Object.create(parent) as { -readonly [key in keyof Instance]: Instance[key] }
  const childContext = createChildContext(context, child, nameOfContext(plugin), options)
  child[kContext] = childContext
  child.ready = bootReady.bind(child) as Instance['ready']
  bindSchemaGetters(child)
  if (options.prefix) notFound.allowHandler(childContext)
  for (const hook of childContext.hooks.onRegister) hook.call(parent, child, options)
  return child
}
