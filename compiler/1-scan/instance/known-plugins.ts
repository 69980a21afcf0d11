/** Plugins of packages that the scan knows: which it follows, and what registering them changes. */
import type { Machine } from '../values/machine.ts'
import { primitive } from '../values/index.ts'
import type { Deferred, InstanceValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import { importOf } from '../evaluation/operations.ts'

/** Plugins that set `additionalProperties: false` in their option `schema`, the schema of the environment variables. */
const closing: ReadonlySet<string> = new Set(['@fastify/env', 'fastify-env'])

/** Packages whose plugins add shared schemas, or routes with schemas: the scan follows their source. */
const followed: ReadonlySet<string> = new Set(
  [
    '@fastify/multipart @fastify/sensible @fastify/under-pressure fastify-custom-healthcheck',
    'fastify-multipart fastify-sensible mercurius under-pressure',
  ].flatMap((line) => line.split(' ')),
)

/** Packages whose plugins search the application's routes in folders, classes or documents. */
const finders: ReadonlySet<string> = new Set([
  'fastify-autoroutes',
  'fastify-decorators',
  'fastify-file-routes',
  'fastify-now',
  'fastify-openapi-glue',
])

/** Returns whether a package documents the routes that are declared after it. */
export function isDocumenting(specifier: string): boolean {
  return specifier === '@fastify/swagger' || specifier === 'fastify-swagger'
}

/** Returns the plugin in the source of a package that the scan follows. */
export function pluginInSource(m: Machine, plugin: Deferred, at: Node): Value | undefined {
  const source = importOf(plugin)
  if (source === undefined || !followed.has(source.specifier)) return undefined
  const file = m.modules.resolve(source.specifier, source.importer, source.required)
  return file === undefined ? undefined : m.modules.contentOf(file, at)
}

/** Notes that a plugin of a package is registered, and applies its effects. */
export function registerPackagePlugin(
  m: Machine,
  plugin: Deferred,
  server: InstanceValue,
  options: Value,
  at: Node,
): void {
  const { root } = server.context
  root.hasPackagePlugins = true
  const source = importOf(plugin)
  if (source === undefined) return
  const { specifier, importer } = source
  const isConditional = m.branches.length > 0
  const isFollowed = followed.has(specifier)
  const place = m.project.locateFor(at)
  root.packagePlugins.push({ specifier, importer, isConditional, isFollowed, at: place })
  server.context.plugins.push({ name: specifier, at: m.project.locate(at), isConditional })
  if (isDocumenting(specifier)) root.documentation ??= { context: server.context, options, at }
  if (closing.has(specifier) && options.kind !== 'primitive') {
    const schema = m.get(options, primitive('schema', at), at)
    m.set(schema, primitive('additionalProperties', at), primitive(false, at), at)
  }
  if (finders.has(specifier)) {
    const why = `"${specifier}" finds routes of the application by itself`
    m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), why)
  }
}
