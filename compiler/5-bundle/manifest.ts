import type { Line } from '../../runtime/artifact/lines.ts'
import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import { contextPaths } from '../report/context-path.ts'
import { displayPath } from '../util/paths.ts'
import type {
  ApplicationStart,
  Binding,
  BindingSite,
  ContextNode,
  ContextTree,
  Diagnostic,
  Digest,
  Emission,
  FactoryOptions,
  ResolvedApp,
  ResolvedOptions,
  RouteNode,
  SeenHook,
  SourceLocation,
} from '../model/index.ts'
import type { Standing } from './coverage.ts'
import { coverageOf, standingsOf } from './coverage.ts'
import type { ManifestRouteSchema, SchemaTable } from './manifest-schemas.ts'
import { createSchemaTable } from './manifest-schemas.ts'

/** `manifest.json`: what the artifact holds, for people and for CI jobs. The runtime reads places from it. */
export interface Manifest {
  readonly format: number
  /** Of `framework`. */
  readonly version: string
  /** Of the packages that the functions were compiled with. */
  readonly compilers: Readonly<Record<string, string>>
  /** What the functions are for, unless that is the runtime of this package. */
  readonly line?: Line
  readonly entry: string
  /** What the entry is: it starts `itself`, or exports what somebody else starts. */
  readonly start: ApplicationStart
  /** The options of the build that decide what is in the artifact. */
  readonly options: Pick<ResolvedOptions, 'allowDynamic' | 'trace'>
  /** The factory options that decide what schemas mean, as far as they are data. */
  readonly factory: ManifestFactory
  readonly documentation?: ManifestDocumentation
  readonly contexts: readonly ManifestContext[]
  readonly routes: readonly ManifestRoute[]
  readonly functions: Readonly<Record<Digest, ManifestFunction>>
  /** What is not known besides parts of routes: routes, plugins and shared schemas. */
  readonly dynamic: readonly ManifestProblem[]
  /** What the build noticed, and built all the same. */
  readonly warnings?: readonly ManifestProblem[]
  /** How many parts of routes became known in which way; HEAD twins are not counted. */
  readonly coverage: Readonly<Record<Standing, number>>
  /** What routes and contexts name. */
  readonly schemas: Readonly<Record<string, unknown>>
}

export interface ManifestFactory {
  readonly jsonShorthand: boolean
  /** `ajv.customOptions`, without functions. */
  readonly ajv: Readonly<Record<string, unknown>>
  readonly mode?: string
  readonly serializerOpts?: Readonly<Record<string, unknown>>
}

/** What is left to the running application. */
export interface ManifestProblem {
  readonly code: string
  readonly message: string
  readonly at: string
}

export interface ManifestContext {
  readonly context: string
  readonly prefix: string
  readonly at: string
  /** The `$id`s that it adds itself. */
  readonly schemas: readonly string[]
  /** All that hold for its routes, as far as the source tells, in the order in which they are added. */
  readonly hooks?: readonly ManifestHook[]
  /** Plugins of packages in it, or around it: what they add is not known. */
  readonly plugins?: readonly { readonly name: string; readonly at: string }[]
  /** The same, with the names of the schemas and the places of `addSchema`. */
  readonly shared: Readonly<Record<string, { readonly schema: string; readonly at: string }>>
}

export interface ManifestHook {
  readonly hook: string
  /** Of the function; `''` when it has none. */
  readonly name: string
  /** The wrapped plugin that adds it to the context. */
  readonly plugin?: string
  readonly at: string
  readonly isConditional?: true
}

/** What the application says to @fastify/swagger, when it is registered. */
export interface ManifestDocumentation {
  readonly context: string
  readonly at: string
  /** As far as they are data. */
  readonly options: Readonly<Record<string, unknown>>
  /** Options that are not: `transform`. */
  readonly unknown: readonly string[]
}

export interface ManifestRoute {
  readonly method: string
  /** All that are declared together with it, when there are several: `GET, HEAD`. */
  readonly methods?: string
  readonly url: string
  readonly context: string
  /** `file:line:column`. */
  readonly at: string
  /** What else has to hold for the route to be found: a version, a host. */
  readonly constraints?: Readonly<Record<string, string>>
  readonly schema?: ManifestRouteSchema
  /** Its own, as far as the source tells. */
  readonly hooks?: readonly ManifestHook[]
  /** @fastify/swagger is there when it is declared. */
  readonly isDocumented?: true
  /** Digest by request part, or by part and media type: `body`, `body text/plain`. */
  readonly validators: Readonly<Record<string, Digest>>
  /** Digest by status, or by status and media type: `200`, `2xx application/json`. */
  readonly serializers: Readonly<Record<string, Digest>>
  /** Parts that the application compiles itself. */
  readonly external: readonly string[]
  /** Those of them that `schema` does not show, or not as a whole: no JSON says what they are. */
  readonly opaque?: readonly string[]
  /** How each part became known. */
  readonly parts: Readonly<Record<string, Standing>>
  /** Parts that have no function, because they are not known. */
  readonly dynamic: readonly (ManifestProblem & { readonly part: string })[]
}

export interface ManifestFunction {
  readonly kind: 'validator' | 'serializer'
  /** Characters before minifying. */
  readonly size: number
  /** Bytes in the artifact. */
  readonly bytes: number
  /** The first place that asks for it. */
  readonly at: string
}

/** What a manifest tells of. */
export interface ManifestSources {
  readonly tree: ContextTree
  readonly app: ResolvedApp
  readonly emission: Emission
  /** What is not known besides parts of routes. */
  readonly open: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly start: ApplicationStart
  readonly compilers: Readonly<Record<string, string>>
  readonly options: ResolvedOptions
}

/** With the text of the file. */
export interface WrittenManifest {
  readonly manifest: Manifest
  readonly text: string
}

export function createManifest(sources: ManifestSources): WrittenManifest {
  const { tree, app, open, warnings, start, compilers } = sources
  const { packed, incomplete } = sources.emission
  const { entry, root, allowDynamic, trace, line } = sources.options
  const bindings = groupByRoute(app.bindings)
  const external = groupByRoute(app.external)
  const contexts: ManifestContext[] = []
  const routes: ManifestRoute[] = []
  const table = createSchemaTable()
  let documentation: ManifestDocumentation | undefined
  for (const [node, context] of contextPaths(tree.root)) {
    const { prefix, at, schemas } = node
    const ids = schemas.map(({ id }) => id)
    const shared = Object.fromEntries(
      schemas.flatMap(({ id, schema, at }) => {
        const name = table.name(schema.value)
        return name === undefined ? [] : [[id, { schema: name, at: placeText(at) }]]
      }),
    )
    documentation ??= documentationOf(node.documentation, context)
    const hooks = hooksOf(node.hooks)
    const plugins = (node.plugins ?? []).map((one) => ({ name: one.name, at: placeText(one.at) }))
    contexts.push({
      context,
      prefix,
      at: placeText(at),
      schemas: ids,
      shared,
      ...(hooks.length > 0 && { hooks }),
      ...(plugins.length > 0 && { plugins }),
    })
    for (const route of node.routes) addRoute(route, context)
  }
  const rest = {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    compilers,
    ...(line !== 'framework' && { line }),
    entry: displayPath(entry, root),
    start,
    options: { allowDynamic, trace },
    factory: factoryOf(tree.options),
    ...(documentation && { documentation }),
    contexts,
    routes,
    functions: Object.fromEntries(
      packed.map(({ digest, size, maker }) => {
        const unit = app.units.get(digest)
        if (unit === undefined) throw new RangeError(`No unit ${digest}`)
        return [
          digest,
          { kind: unit.kind, size, bytes: Buffer.byteLength(maker), at: placeText(unit.at) },
        ]
      }),
    ),
    dynamic: open.map(toProblem),
    ...(warnings.length > 0 && { warnings: warnings.map(toProblem) }),
    coverage: coverageOf(routes),
  }
  let schemas: Manifest['schemas'] | undefined
  const manifest = {
    ...rest,
    get schemas() {
      return (schemas ??= JSON.parse(`{${linesOf(table).join()}}`) as Manifest['schemas'])
    },
  }
  return { manifest, text: textOf(rest, linesOf(table)) }

  function addRoute(route: RouteNode, context: string): void {
    const all = bindings.get(route) ?? []
    const own = all.filter(({ digest }) => !incomplete.has(digest))
    const dynamic = route.dynamic.map(({ part, problem }) => ({ part, ...toProblem(problem) }))
    for (const binding of all) {
      const problem = incomplete.get(binding.digest)
      if (problem) dynamic.push({ part: partOf(binding), ...toProblem(problem) })
    }
    const left = [...(external.get(route) ?? []).map(partOf), ...route.opaque]
    const hooks = hooksOf(route.hooks)
    const row = {
      ...(route.methods.length > 1 && { methods: route.methods.join(', ') }),
      url: route.url,
      context,
      at: placeText(route.at),
      ...(hasMembers(route.constraints) && { constraints: route.constraints }),
      ...(route.schema && { schema: table.routeSchema(route.schema) as ManifestRouteSchema }),
      ...(hooks.length > 0 && { hooks }),
      ...(route.isDocumented && { isDocumented: true as const }),
      validators: digestsBy(own, requestKey),
      serializers: digestsBy(own, responseKey),
      external: left,
      ...(route.opaque.length > 0 && { opaque: route.opaque }),
      parts: standingsOf(route, own, left, dynamic),
      dynamic,
    }
    for (const method of route.methods) routes.push({ method, ...row })
    const { twinUrl, twins = [] } = route
    if (twinUrl === undefined) return
    if (twins.length > 0) twins.forEach((twin) => addRoute(twin, context))
    else routes.push({ method: 'HEAD', ...row, url: twinUrl })
  }
}

/** As people read it; of the schemas, each stands on a line. */
function textOf(rest: Omit<Manifest, 'schemas'>, schemas: readonly string[]): string {
  const head = JSON.stringify(rest, null, 2).slice(0, -'\n}'.length)
  const lines = schemas.map((line) => `    ${line}`)
  const table = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `${head},\n  "schemas": ${table}\n}\n`
}

function linesOf({ texts }: SchemaTable): string[] {
  return [...texts].map(([name, text]) => `${JSON.stringify(name)}: ${text}`)
}

function hasMembers<T extends object>(value: T | undefined): value is T {
  return value !== undefined && Object.keys(value).length > 0
}

function hooksOf(hooks: readonly SeenHook[] = []): ManifestHook[] {
  return hooks.map(({ hook, name, plugin, at, isConditional }) => ({
    hook,
    name,
    ...(plugin !== undefined && { plugin }),
    at: placeText(at),
    ...(isConditional && { isConditional: true as const }),
  }))
}

function documentationOf(
  seen: ContextNode['documentation'],
  context: string,
): ManifestDocumentation | undefined {
  const [options] = seen?.options ?? []
  if (seen === undefined) return undefined
  const { value } = options?.value ?? {}
  const isData = typeof value === 'object' && value !== null
  return {
    context,
    at: placeText(seen.at),
    options: isData ? (JSON.parse(JSON.stringify(value)) as Record<string, unknown>) : {},
    unknown: (options?.holes ?? []).map(({ path }) => path.join('.') || 'all'),
  }
}

function factoryOf({ ajv, serializerOpts, jsonShorthand }: FactoryOptions): ManifestFactory {
  return {
    jsonShorthand,
    ajv: ajv.customOptions?.value ?? {},
    ...(ajv.mode !== undefined && { mode: ajv.mode }),
    ...(hasMembers(serializerOpts?.value) && { serializerOpts: serializerOpts.value }),
  }
}

function toProblem({ code, message, at }: Diagnostic): ManifestProblem {
  return { code, message, at: placeText(at) }
}

/** The name of the part that a site is about. */
function partOf(site: BindingSite): string {
  return requestKey(site) ?? responseKey(site) ?? ''
}

/** As in `ManifestRoute.validators`. */
function requestKey({ httpPart, contentType }: BindingSite): string | undefined {
  return httpPart === undefined || contentType === undefined
    ? httpPart
    : `${httpPart} ${contentType}`
}

function responseKey(site: BindingSite): string | undefined {
  const { httpStatus, contentType } = site
  return httpStatus === undefined || contentType === undefined
    ? httpStatus
    : `${httpStatus} ${contentType}`
}

function digestsBy(
  bindings: readonly Binding[],
  keyOf: (binding: Binding) => string | undefined,
): Record<string, Digest> {
  const digests: Record<string, Digest> = {}
  for (const binding of bindings) {
    const key = keyOf(binding)
    if (key !== undefined) digests[key] = binding.digest
  }
  return digests
}

function groupByRoute<T extends { readonly route: RouteNode }>(
  sites: readonly T[],
): ReadonlyMap<RouteNode, readonly T[]> {
  const groups = new Map<RouteNode, T[]>()
  for (const site of sites) {
    const group = groups.get(site.route)
    if (group) group.push(site)
    else groups.set(site.route, [site])
  }
  return groups
}

/** `file:line:column`, as editors and terminals link it. */
export function placeText({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`
}
