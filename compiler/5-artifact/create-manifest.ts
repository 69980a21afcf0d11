/** Creates `manifest.json` from the results of all phases. */
import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import { contextPaths } from '../report/context-path.ts'
import { groupBy } from '../util/group-by.ts'
import { displayPath } from '../util/paths.ts'
import type { SourceFiles } from '../util/source-files.ts'
import type {
  ApplicationStart,
  Binding,
  ContextNode,
  ContextTree,
  Diagnostic,
  Digest,
  Emission,
  FactoryOptions,
  LibraryPart,
  ResolvedApp,
  ResolvedOptions,
  RouteNode,
  SeenHook,
  SourceLocation,
} from '../model/index.ts'
import { knownOptions } from './documentation-options.ts'
import { coverageOf, isResponse, partOf, statusesOf } from './coverage.ts'
import type {
  Manifest,
  ManifestContext,
  ManifestDocumentation,
  ManifestFactory,
  ManifestHook,
  ManifestLibrary,
  ManifestProblem,
  ManifestRoute,
} from './manifest.ts'
import type { LibraryParsers } from './library-parsers.ts'
import type { ManifestRouteSchema, SchemaTable } from './manifest-schemas.ts'
import { createSchemaTable } from './manifest-schemas.ts'

export interface ManifestSources {
  readonly tree: ContextTree
  readonly app: ResolvedApp
  readonly parsers: Pick<LibraryParsers, 'digests' | 'absence'>
  readonly emission: Emission
  /** Errors that don't concern a part of a route. */
  readonly otherErrors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly start: ApplicationStart
  /** Why the boot in the sandbox stopped, if it did. */
  readonly stop: Diagnostic | undefined
  /** The document that @fastify/swagger wrote in a boot, or why it isn't known. */
  readonly document:
    | { readonly value: unknown; readonly holes: readonly { readonly why: string }[] }
    | undefined
  readonly hookNames: readonly string[] | undefined
  /** `SourceGraph.compiled` */
  readonly compiled: ReadonlyMap<string, string>
  readonly compilers: Readonly<Record<string, string>>
  readonly files: SourceFiles
  readonly options: ResolvedOptions
}

export function createManifest(sources: ManifestSources): {
  readonly manifest: Manifest
  readonly text: string
} {
  const { tree, app, otherErrors, warnings, start, stop, compiled, compilers, hookNames } = sources
  const { packed, incomplete } = sources.emission
  const { entry, root, allowDynamic, trace, boot, target, line } = sources.options
  const bindings = groupBy(app.bindings, ({ route }) => route)
  const external = groupBy(app.external, ({ route }) => route)
  const contexts: ManifestContext[] = []
  const routes: ManifestRoute[] = []
  const table = createSchemaTable()
  const otherFactories = new Map(tree.others.map(({ root: node, options }) => [node, options]))
  let documentation: ManifestDocumentation | undefined
  for (const [node, context] of contextPaths(tree)) {
    const { prefix, isPrefixKnown, at, schemas } = node
    const ids = [...new Set(schemas.map(({ id }) => id))]
    const shared = Object.fromEntries(
      schemas.flatMap(({ id, schema, at }) => {
        const name = table.name(schema.value)
        return name === undefined ? [] : [[id, { schema: name, at: placeText(at) }]]
      }),
    )
    documentation ??= documentationOf(node.documentation, context, sources.document)
    const hooks = hooksOf(node.hooks)
    const factory = otherFactories.get(node)
    const plugins = (node.plugins ?? []).map(({ name, at: place, areHooksKnown }) => ({
      name,
      at: placeText(place),
      ...(areHooksKnown && { areHooksKnown: true as const }),
    }))
    contexts.push({
      context,
      prefix,
      ...(!isPrefixKnown && { isPrefixKnown: false as const }),
      at: placeText(at),
      schemas: ids,
      shared,
      ...(hooks.length > 0 && { hooks }),
      ...(plugins.length > 0 && { plugins }),
      ...(factory && { factory: factoryOf(factory) }),
    })
    for (const route of node.routes)
      for (const one of [route, ...(app.variants.get(route) ?? [])]) addRoute(one, context)
  }
  const rest = {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    compilers,
    ...(line !== 'framework' && { line }),
    entry: displayPath(entry, root),
    ...(compiled.size > 0 && {
      compiled: Object.fromEntries(
        [...compiled].map((files) => files.map((file) => displayPath(file, root))),
      ) as Record<string, string>,
    }),
    sources: sourcesOf(sources.files, root),
    start,
    ...(stop && { bootStop: toProblem(stop) }),
    options: { allowDynamic, trace, target, ...(boot === 'never' && { boot: false as const }) },
    factory: factoryOf(tree.options),
    settings: [...app.options],
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
    dynamic: otherErrors.map(toProblem),
    ...(warnings.length > 0 && { warnings: warnings.map(toProblem) }),
    ...(hookNames && { hookNames: [...new Set(hookNames)].sort() }),
    coverage: coverageOf(routes),
  }
  let schemas: Manifest['schemas'] | undefined
  const manifest = {
    ...rest,
    /** Parsed on first use: a build only writes their text. */
    get schemas() {
      return (schemas ??= JSON.parse(`{${linesOf(table).join()}}`) as Manifest['schemas'])
    },
  }
  return { manifest, text: textOf(rest, linesOf(table)) }

  function addRoute(route: RouteNode, context: string, isTwin = false): void {
    const routeBindings = bindings.get(route) ?? []
    const complete = routeBindings.filter(({ digest }) => !incomplete.has(digest))
    const dynamic = route.dynamic.map(({ part, problem }) => ({ part, ...toProblem(problem) }))
    for (const binding of routeBindings) {
      const problem = incomplete.get(binding.digest)
      if (problem) dynamic.push({ part: partOf(binding), ...toProblem(problem) })
    }
    const externalParts = [...(external.get(route) ?? []).map(partOf), ...route.opaque]
    const hooks = hooksOf(route.hooks)
    const row = {
      ...(route.methods.length > 1 && { methods: route.methods.join(', ') }),
      url: route.url,
      context,
      at: placeText(route.at),
      ...(hasMembers(route.constraints) && { constraints: route.constraints }),
      ...(route.schema && { schema: table.routeSchema(route.schema) as ManifestRouteSchema }),
      ...(hooks.length > 0 && { hooks }),
      ...(hasMembers(route.options?.value) && { options: route.options.value }),
      ...(route.options?.unknown.length && { unknownOptions: route.options.unknown }),
      ...(route.isDocumented && { isDocumented: true as const }),
      ...(isTwin && { isTwin: true as const }),
      validators: digestsOf(complete.filter(({ httpPart }) => httpPart !== undefined)),
      serializers: digestsOf(complete.filter(({ httpPart }) => httpPart === undefined)),
      external: externalParts,
      ...(route.opaque.length > 0 && { opaque: route.opaque }),
      ...(hasMembers(route.libraries) && { libraries: librariesOf(route, sources.parsers) }),
      parts: statusesOf(route, complete, externalParts, dynamic),
      dynamic,
    }
    for (const method of route.methods) routes.push({ method, ...row })
    const { twinUrl, twins = [] } = route
    if (twinUrl === undefined) return
    if (twins.length > 0)
      for (const twin of twins)
        for (const one of [twin, ...(app.variants.get(twin) ?? [])]) addRoute(one, context, true)
    else {
      const ofTwin = route.twinHooks && hooksOf(route.twinHooks)
      const twin = { ...row, ...(ofTwin && { hooks: ofTwin }) }
      routes.push({ method: 'HEAD', ...twin, url: twinUrl, isTwin: true })
    }
  }
}

function sourcesOf(files: SourceFiles, root: string): Manifest['sources'] {
  const digests = [...files.reads()].flatMap(([kind, file, digest]) =>
    kind === 'text' && SOURCE.test(file) ? [[displayPath(file, root), digest] as const] : [],
  )
  return Object.fromEntries(digests.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Matches files of an application. A package.json also changes with a release. */
const SOURCE = /^(?!.*[\\/](?:node_modules[\\/]|package\.json$)).*\.(?:[cm]?[jt]sx?|json)$/

/** Indents the text for people, with one line for each schema. */
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

function withoutUndefined<T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const known = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(known) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function hooksOf(hooks: readonly SeenHook[] = []): ManifestHook[] {
  return hooks.map(({ at, isConditional, ...one }) => ({
    ...withoutUndefined(one),
    at: placeText(at),
    ...(isConditional && { isConditional: true as const }),
  }))
}

function documentationOf(
  seen: ContextNode['documentation'],
  context: string,
  document: ManifestSources['document'],
): ManifestDocumentation | undefined {
  if (seen === undefined) return undefined
  const holes = seen.options.flatMap((one) => one.holes.map(({ path }) => path))
  const variants = seen.options.map((one) => one.value.value)
  const [hole] = document?.holes ?? []
  return {
    context,
    at: placeText(seen.at),
    ...knownOptions(variants, holes),
    ...(document && (hole ? { failure: hole.why } : { document: document.value as object })),
  }
}

function factoryOf({
  ajv,
  bodyLimit,
  serializerOpts,
  jsonShorthand,
  router,
}: FactoryOptions): ManifestFactory {
  const changed = {
    ...(router.ignoreTrailingSlash && { ignoreTrailingSlash: true }),
    ...(router.ignoreDuplicateSlashes && { ignoreDuplicateSlashes: true }),
    ...(!router.caseSensitive && { caseSensitive: false }),
  }
  return {
    jsonShorthand,
    ajv: ajv.customOptions?.value ?? {},
    ...(ajv.mode !== undefined && { mode: ajv.mode }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(hasMembers(serializerOpts?.value) && { serializerOpts: serializerOpts.value }),
    ...(hasMembers(changed) && { router: changed }),
  }
}

function librariesOf(
  { libraries }: RouteNode,
  { digests, absence }: ManifestSources['parsers'],
): Record<string, ManifestLibrary> {
  return Object.fromEntries(
    Object.entries(libraries).map(([part, types]) => {
      const name = types[0]?.library ?? ''
      const isPacked = ({ parser }: LibraryPart): boolean =>
        parser !== undefined && digests.has(parser.digest)
      const parsers = types.filter(isPacked).flatMap(({ parser }) => parser?.digest ?? [])
      const refusals = types
        .filter((one) => !isPacked(one))
        .flatMap(({ parser, refusal }) => refusal ?? (parser && absence) ?? [])
      if (isResponse(part) && types.some((one) => isPacked(one) && one.parser?.encodes === false))
        refusals.push('responses are encoded, and its parser does not encode')
      return [
        part,
        { name, ...(parsers.length > 0 && { parsers }), ...(refusals.length > 0 && { refusals }) },
      ]
    }),
  )
}

function toProblem({ code, message, at }: Diagnostic): ManifestProblem {
  return { code, message, at: placeText(at) }
}

function digestsOf(bindings: readonly Binding[]): Record<string, Digest> {
  return Object.fromEntries(bindings.map((binding) => [partOf(binding), binding.digest]))
}

/** Writes a place so that editors and terminals link it. */
function placeText({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`
}
