/** Shows a route of a manifest to a rule. */
import { cloneSchema, type RouteSchema } from '../../runtime/artifact/normalize.ts'
import { isResponse } from '../../compiler/5-artifact/coverage.ts'
import type { Manifest, ManifestHook } from '../../compiler/5-artifact/manifest.ts'
import {
  factoryOf,
  refuseSchema,
  type Route,
  schemaOf,
  sharedSchemas,
} from '../../compiler/5-artifact/read/schemas.ts'
import { hooksOf, type OriginatedHook } from '../../compiler/5-artifact/read/hooks.ts'
import { requestHooks } from '../../compiler/model/request-hooks.ts'
import { closest } from '../../compiler/report/closest.ts'
import { isWithin } from '../../compiler/report/context-path.ts'
import { profileOf } from '../../compiler/servers/index.ts'
import { viewOf } from './schema-view.ts'
import type { RuleHook, RuleRoute, RuleSchema } from '../../compiler/model/rules.ts'
import type { Run } from './unknown.ts'

/** The limit of Fastify without `bodyLimit`. */
const defaultLimit = 1_048_576

const unknownLimit = 'the `bodyLimit` of its instance is not known'

export function routeFor(manifest: Manifest, route: Route, run: Run): RuleRoute {
  const { method, url, constraints = {}, context, at, isTwin = false } = route
  const contexts = manifest.contexts.filter((one) => isWithin(context, one.context))
  const { prefix = '' } = contexts.at(-1) ?? {}
  const { schemas } = profileOf(manifest.line ?? 'framework')
  const { jsonShorthand, bodyLimit: inherited = defaultLimit } = factoryOf(manifest, route)
  const written = cloneSchema(schemaOf(manifest, route) ?? {}) as RouteSchema
  const normalized = schemas.normalize(written, { jsonShorthand }, refuseSchema)
  const shared = sharedSchemas(manifest, context)
  const externalResponses = route.external.filter(isResponse)
  const allHooks = hooksOf(manifest, route)

  return {
    method,
    url,
    constraints,
    prefix,
    context,
    contexts,
    at,
    isTwin,
    get options() {
      const { options = {}, unknownOptions = [] } = route
      if (unknownOptions.includes('*')) run.refuse('its options are not all known')
      const names = unknownOptions.map((name) => [name, undefined] as const)
      return withUnknown({ ...Object.fromEntries(names), ...options }, unknownOptions)
    },
    get bodyLimit() {
      const { bodyLimit = inherited ?? run.refuse(unknownLimit) } = this.options
      return bodyLimit as number
    },
    get about() {
      requireKnown('schema')
      return route.schema?.about ?? {}
    },
    get tags() {
      const { tags = [] } = this.about
      return tags as readonly string[]
    },
    get body() {
      return part('body')
    },
    get querystring() {
      return part('querystring')
    },
    get params() {
      return part('params')
    },
    get headers() {
      return part('headers')
    },
    response,
    hooks: (kind) => {
      const why = new Set([...openHooks(kind)].map(([, one]) => one))
      if (why.size > 0) run.refuse([...why].join('; '))
      return allHooks.filter(({ hook }) => hook === kind).map(shownHook)
    },
    hasHook,
    validator: kindOf(
      Object.keys(route.validators),
      route.external.filter((one) => !isResponse(one)),
    ),
    serializer: kindOf(Object.keys(route.serializers), externalResponses),
  }

  function requireKnown(...parts: readonly string[]): void {
    const problem = route.dynamic.find((one) => parts.includes(one.part.replace(/ .*/, '')))
    if (problem !== undefined) run.refuse(problem.message)
    const opaque = route.opaque?.find((one) => parts.includes(one))
    if (opaque !== undefined) run.refuse(`only the application's own compiler reads its ${opaque}`)
  }

  function part(name: string): RuleSchema | undefined {
    requireKnown('schema', name)
    return shown(normalized[name])
  }

  function shown(schema: unknown): RuleSchema | undefined {
    return schema ? viewOf(schema, shared, (why) => run.refuse(why)) : undefined
  }

  function response(status: string | number): RuleSchema | undefined {
    const wanted = String(status).toLowerCase()
    const group = `${wanted[0]}xx`
    const all = (normalized['response'] ?? {}) as Readonly<Record<string, unknown>>
    const keys = Object.keys(all)
    const find = (test: (key: string) => boolean): string | undefined =>
      keys.findLast((key) => test(key.toLowerCase()))
    const isInGroup = (key: string): boolean =>
      wanted === group && key.startsWith(wanted[0] as string)
    const key =
      find((one) => one === wanted) ??
      find((one) => one === group) ??
      find((one) => isInGroup(one) && one !== 'default') ??
      find((one) => one === 'default')
    const dynamic = route.dynamic.map((one) => one.part.replace(/ .*/, ''))
    const others = dynamic.filter((one) => one === wanted || one === group || isInGroup(one))
    requireKnown('schema', 'response', 'default', ...others, ...(key ? [key.toLowerCase()] : []))
    return key === undefined ? undefined : shown(all[key])
  }

  /** Yields why hooks of a kind aren't known, with the hook if there is one. */
  function* openHooks(kind: string): Iterable<readonly [OriginatedHook | undefined, string]> {
    if (!requestHooks.includes(kind)) throw new TypeError(`"${kind}" is not a hook of requests`)
    for (const { plugins = [] } of contexts)
      for (const { name, at: place, areHooksKnown } of plugins)
        if (areHooksKnown !== true)
          yield [undefined, `"${name}" at ${place} may add hooks, and no boot shows them`]
    for (const hook of allHooks) {
      if (hook.hook !== kind && hook.hook !== '*') continue
      const what = hook.hook === '*' ? 'hooks may be added' : `there may be the ${kind} hook`
      if (hook.unknown !== undefined) yield [hook, `${what} at ${hook.at}, but ${hook.unknown}`]
      else if (hook.isConditional)
        yield [hook, `the ${kind} hook at ${hook.at} depends on a condition`]
    }
  }

  function hasHook(kind: string, name: string): boolean {
    const open = [...openHooks(kind)]
    const doubtful = new Set(open.map(([hook]) => hook))
    const isProven = allHooks.some(
      (hook) => hook.hook === kind && !doubtful.has(hook) && namesOf(hook).includes(name),
    )
    if (isProven) return true
    const why = open
      .filter(([hook]) => hook?.unknown !== undefined || !hook || namesOf(hook).includes(name))
      .map(([, one]) => one)
    if (why.length > 0) return run.ask(`${kind} ${name}`, [...new Set(why)].join('; '))
    requireName(name)
    return false
  }

  /** Throws for a misspelt name: a rule that refuses its hook would always hold. */
  function requireName(name: string): void {
    const { hookNames } = manifest
    const ofHooks = [...manifest.contexts, ...manifest.routes].flatMap(({ hooks = [] }) => hooks)
    const names = [...(hookNames ?? [name]), ...ofHooks.flatMap(namesOf)]
    if (names.includes(name) || names.includes(name.replace('()', ''))) return
    const hint = closest(name, names)[0]
    throw new TypeError(
      `no function, decorator or package of the application is named "${name}"${hint ? `. Did you mean "${hint}"?` : ''}`,
    )
  }

  function withUnknown<T extends object>(value: T, unknown: readonly string[]): T {
    for (const name of unknown) {
      const get = (): never => run.refuse(`its option "${name}" is not known`)
      Object.defineProperty(value, name, { get, enumerable: true })
    }
    return value
  }
}

/** The names under which `hasHook` finds a hook. */
function namesOf({
  function: name,
  aliases = [],
  decorator,
  package: of,
}: ManifestHook): readonly string[] {
  const names = [name, ...aliases, decorator && `app.${decorator}`, of]
  return names.filter((one) => one !== undefined)
}

function shownHook({ hook, decorator, ...one }: OriginatedHook): RuleHook {
  return {
    kind: hook,
    name: one.name,
    function: one.function,
    decorator: decorator && `app.${decorator}`,
    package: one.package,
    from: one.from,
    at: one.at,
  }
}

function kindOf(compiled: readonly string[], external: readonly string[]): RuleRoute['validator'] {
  if (external.length > 0) return 'own'
  return compiled.length > 0 ? 'compiled' : 'none'
}
