import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import { contextPaths } from '../context-path.ts'
import { displayPath } from '../options.ts'
import type {
  Binding,
  ContextTree,
  Digest,
  EmittedUnit,
  ResolvedApp,
  ResolvedOptions,
  RouteNode,
  SourceLocation,
} from '../model.ts'

/** `manifest.json`: what the artifact holds, for people and for CI jobs. The runtime reads places from it. */
export interface Manifest {
  readonly format: number
  /** Of `framework`. */
  readonly version: string
  /** Of the packages that the functions were compiled with. */
  readonly compilers: Readonly<Record<string, string>>
  readonly entry: string
  readonly contexts: readonly ManifestContext[]
  readonly routes: readonly ManifestRoute[]
  readonly functions: Readonly<Record<Digest, ManifestFunction>>
}

export interface ManifestContext {
  readonly context: string
  readonly prefix: string
  readonly at: string
  /** The `$id`s that it adds itself. */
  readonly schemas: readonly string[]
}

export interface ManifestRoute {
  readonly method: string
  readonly url: string
  readonly context: string
  /** `file:line:column`. */
  readonly at: string
  /** Digest by request part. */
  readonly validators: Readonly<Record<string, Digest>>
  /** Digest by status, or by status and media type: `200`, `2xx application/json`. */
  readonly serializers: Readonly<Record<string, Digest>>
  /** Parts that the application compiles itself. */
  readonly external: readonly string[]
}

export interface ManifestFunction {
  readonly kind: 'validator' | 'serializer'
  /** Characters before minifying. */
  readonly size: number
  /** The first place that asks for it. */
  readonly at: string
}

export function createManifest(
  tree: ContextTree,
  app: ResolvedApp,
  emitted: readonly EmittedUnit[],
  compilers: Readonly<Record<string, string>>,
  options: ResolvedOptions,
): Manifest {
  const bindings = groupByRoute(app.bindings)
  const external = groupByRoute(app.external)
  const contexts: ManifestContext[] = []
  const routes: ManifestRoute[] = []
  for (const [node, context] of contextPaths(tree.root)) {
    const { prefix, at, schemas } = node
    contexts.push({ context, prefix, at: placeText(at), schemas: schemas.map(({ id }) => id) })
    for (const route of node.routes) addRoute(route, context)
  }
  return {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    compilers,
    entry: displayPath(options.entry, options.root),
    contexts,
    routes,
    functions: Object.fromEntries(
      emitted.map(({ digest, code }) => {
        const unit = app.units.get(digest)
        if (unit === undefined) throw new RangeError(`No unit ${digest}`)
        return [digest, { kind: unit.kind, size: code.length, at: placeText(unit.at) }]
      }),
    ),
  }

  function addRoute(route: RouteNode, context: string): void {
    const own = bindings.get(route) ?? []
    const row = {
      url: route.url,
      context,
      at: placeText(route.at),
      validators: digestsBy(own, ({ httpPart }) => httpPart),
      serializers: digestsBy(own, responseKey),
      external: (external.get(route) ?? []).map((site) => site.httpPart ?? responseKey(site) ?? ''),
    }
    for (const method of methodsOf(route)) routes.push({ method, ...row })
  }
}

/** A route's methods, with the HEAD twin that a single GET gets. */
export function methodsOf(route: RouteNode): readonly string[] {
  const isSingleGet = route.methods.length === 1 && route.methods[0] === 'GET'
  return isSingleGet && route.exposeHeadRoute ? ['GET', 'HEAD'] : route.methods
}

function responseKey(site: Pick<Binding, 'httpStatus' | 'contentType'>): string | undefined {
  const { httpStatus, contentType } = site
  return contentType === undefined ? httpStatus : `${httpStatus} ${contentType}`
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
