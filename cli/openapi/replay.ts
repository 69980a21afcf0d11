import { cloneSchema } from '../../runtime/artifact/normalize.ts'
import type { RouteSchema } from '../../runtime/artifact/normalize.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import {
  factoryOf,
  refuseSchema,
  schemaOf,
  sharedSchemas,
} from '../../compiler/5-artifact/read/schemas.ts'
import { profileOf } from '../../compiler/servers/index.ts'
import { isWithin, rootOf } from '../../compiler/report/context-path.ts'

type Hook = (argument: unknown, ...more: unknown[]) => unknown

/** The members of an instance that the plugin uses. */
interface Instance {
  addHook(name: string, hook: Hook): Instance
  decorate(name: string, value: unknown): Instance
  register(): Instance
  getSchemas(): Readonly<Record<string, unknown>>
}

export type SwaggerPlugin = (instance: Instance, options: object, done: () => void) => void

/** Shows contexts, routes and shared schemas to the plugin as a booting application does, and returns the document. */
export function replay(
  manifest: Manifest,
  options: object,
  plugin: SwaggerPlugin,
): Record<string, unknown> {
  const home = manifest.documentation?.context ?? manifest.contexts[0]?.context ?? ''
  const hooks = new Map<string, Hook[]>()
  const ready: Hook[] = []
  const decorators = new Map<string, unknown>()
  plugin(instanceOf(home, hooks, ready), { ...options }, () => undefined)
  const call = (name: string, argument: unknown): void => {
    for (const hook of hooks.get(name) ?? []) hook(argument)
  }
  const childrenReady: Hook[] = []
  for (const { context } of manifest.contexts) {
    if (context === home || !isWithin(context, home)) continue
    call('onRegister', instanceOf(context, new Map(), childrenReady))
  }
  for (const route of manifest.routes) {
    if (isSeen(manifest, route) && isFirst(route)) call('onRoute', toOptions(manifest, route))
  }
  for (const hook of [...ready, ...childrenReady]) hook(() => undefined)
  const swagger = decorators.get('swagger') as () => Record<string, unknown>
  return JSON.parse(JSON.stringify(swagger())) as Record<string, unknown>

  function instanceOf(context: string, named: Map<string, Hook[]>, onReady: Hook[]): Instance {
    const instance: Instance = {
      addHook(name, hook) {
        if (name === 'onReady') onReady.push(hook)
        else named.set(name, [...(named.get(name) ?? []), hook])
        return instance
      },
      decorate(name, value) {
        decorators.set(name, value)
        return instance
      },
      // @fastify/swagger 7 registers the plugin that serves its page, which isn't part of the document.
      register: () => instance,
      getSchemas: () => structuredClone(sharedSchemas(manifest, context)),
    }
    return instance
  }
}

/**
 * Routes that were declared before the plugin was loaded aren't documented. For `/` under a prefix, which
 * matches with and without the slash, the plugin sees the URL with the slash.
 */
function isSeen({ documentation, contexts, routes }: Manifest, route: Route): boolean {
  if (rootOf(route.context) !== rootOf(documentation?.context ?? 'root')) return false
  if (documentation !== undefined && route.isDocumented !== true) return false
  const declaring = contexts.find(({ context }) => context === route.context)
  const hasSlash = ({ method, url, at, context }: Route): boolean =>
    method === route.method &&
    url === `${route.url}/` &&
    at === route.at &&
    context === route.context
  return declaring?.prefix !== route.url || !routes.some(hasSlash)
}

/** The manifest has one route per method; the plugin sees the declaration once. */
function isFirst({ method, methods }: Route): boolean {
  return methods === undefined || methods.startsWith(`${method}, `)
}

/** Returns the options that `onRoute` hooks get, with the schemas of a ready application. */
function toOptions(manifest: Manifest, route: Route): object {
  const { url, methods } = route
  const method = methods === undefined ? route.method : methods.split(', ')
  const written = schemaOf(manifest, route)
  const { jsonShorthand } = factoryOf(manifest, route)
  const { schemas } = profileOf(manifest.line ?? 'framework')
  const schema =
    written &&
    schemas.normalize(cloneSchema(written) as RouteSchema, { jsonShorthand }, refuseSchema)
  return { method, url, path: url, schema, config: {} }
}
