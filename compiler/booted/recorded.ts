/** Converts the recording of a booted application to a context tree. */
import type {
  CompilerChoice,
  ContextNode,
  ContextTree,
  Diagnostic,
  FactoryOptions,
  InstanceTree,
  RouteNode,
  SeenHook,
  SharedSchema,
  SourceLocation,
  KnownValue,
  LibraryPart,
  UnknownSchema,
} from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import type {
  RecordedContext,
  RecordedHook,
  RecordedInstance,
  RecordedRoute,
  RecordedValue,
  Recording,
} from './recording.ts'
import { describeHole, partOf, withoutParts } from '../2-tree/parts.ts'
import { twinUrl } from '../2-tree/urls.ts'
import type { Place } from '../util/stack.ts'

interface Scope {
  readonly prefix: string
  readonly at: SourceLocation
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/** A recording and the tree that was made of it. */
export interface Booted {
  readonly recording: Recording
  readonly tree: ContextTree
  /** Routes that packages declare. */
  readonly ofPackages: ReadonlySet<RouteNode>
}

/** Converts a recording to the same kind of tree that the scan produces. */
export function toTree(
  recording: Recording,
  { root, entry }: { readonly root: string; readonly entry: string },
): Booted {
  const ofPackages = new Set<RouteNode>()
  const start: SourceLocation = { file: displayPath(entry, root), line: 1, column: 1 }
  const others = recording.others.map(instance)
  return { tree: { ...instance(recording), others }, ofPackages, recording }

  function instance(recorded: RecordedInstance): InstanceTree {
    const options = toOptions(recorded, start)
    return { options, root: context(recorded.root, { ...options, prefix: '', at: start }) }
  }

  function context(recorded: RecordedContext, outer: Scope): ContextNode {
    const { name, prefix, validatorCompiler, serializerCompiler } = recorded
    // A recording has no place for contexts, so use that of the first schema or route inside.
    const near = [...recorded.schemas, ...recorded.routes].find(({ at }) => at !== undefined)
    const scope: Scope = {
      prefix,
      at: locate(near?.at) ?? outer.at,
      validatorCompiler: validatorCompiler ?? outer.validatorCompiler,
      serializerCompiler: serializerCompiler ?? outer.serializerCompiler,
    }
    const schemas: SharedSchema[] = []
    const unknownSchemas: UnknownSchema[] = []
    for (const { id, schema, at: place } of recorded.schemas) {
      const at = locate(place) ?? scope.at
      const [hole] = schema.holes
      const what = `shared schema "${id}"`
      if (hole) unknownSchemas.push({ id, at, problem: problem(hole, at, what) })
      else schemas.push({ id, at, schema: toKnownValue(schema, at), branches: [] })
    }
    return {
      name,
      prefix,
      isPrefixKnown: true,
      at: scope.at,
      schemas,
      unknownSchemas,
      hooks: recorded.hooks.map((one) => hook(one, scope.at)),
      routes: recorded.routes.map((one) => route(one, scope)),
      children: recorded.children.map((child) => context(child, scope)),
      isConditional: false,
      validatorCompiler,
      serializerCompiler,
    }
  }

  function route(recorded: RecordedRoute, scope: Scope): RouteNode {
    const { at: place, schema, isOfPackage, hooks, twinHooks, ...declared } = recorded
    const { methods, url, validatorCompiler, serializerCompiler } = declared
    const at = locate(place) ?? scope.at
    const opaque = new Set<string>()
    const libraries: Record<string, LibraryPart[]> = {}
    const dynamic: RouteNode['dynamic'][number][] = []
    for (const hole of schema?.holes ?? []) {
      const part = partOf(hole.path)
      if (part === undefined) continue
      const choice =
        hole.path[0] === 'response'
          ? (serializerCompiler ?? scope.serializerCompiler)
          : (validatorCompiler ?? scope.validatorCompiler)
      if (choice === 'own' && part !== 'schema') {
        if (hole.described === undefined) opaque.add(part)
        else (libraries[part] ??= []).push(hole.described)
      } else
        dynamic.push({ part, problem: problem(hole, at, `schema of ${methods.join(', ')} ${url}`) })
    }
    const isSchema = typeof schema?.value === 'object' && schema.value !== null
    const getsTwin = declared.exposeHeadRoute && methods.length === 1 && methods[0] === 'GET'
    const node: RouteNode = {
      ...declared,
      at,
      hooks: hooks.map((one) => hook(one, at)),
      twinHooks: twinHooks?.map((one) => hook(one, at)),
      schema: isSchema ? withoutParts(toKnownValue(schema, at), dynamic) : undefined,
      dynamic,
      opaque: [...opaque],
      libraries,
      isConditional: false,
      branches: [],
      twinUrl: getsTwin ? twinUrl(scope.prefix, url) : undefined,
    }
    if (isOfPackage) ofPackages.add(node)
    return node
  }

  function hook(recorded: RecordedHook, near: SourceLocation): SeenHook {
    const { hook: kind, name, package: of, at, isConditional = false } = recorded
    return {
      hook: kind,
      name,
      plugin: undefined,
      package: of || undefined,
      // The function may be any of the application.
      unknown: of ? undefined : 'only the booted application shows it',
      at: locate(at) ?? near,
      isConditional,
    }
  }

  function locate(at: Place | undefined): SourceLocation | undefined {
    return at && { ...at, file: displayPath(at.file, root) }
  }
}

function toOptions({ options }: RecordedInstance, at: SourceLocation): FactoryOptions {
  const { customOptions, serializerOpts, jsonShorthand, exposeHeadRoutes, router } = options
  return {
    ajv: { customOptions: toKnownValue(customOptions, at), imports: [], plugins: [] },
    serializerOpts: toKnownValue(serializerOpts, at),
    jsonShorthand,
    exposeHeadRoutes,
    router,
    bodyLimit: null,
    validatorCompiler: options.validatorCompiler ?? 'default',
    serializerCompiler: options.serializerCompiler ?? 'default',
  }
}

function toKnownValue(
  { value }: RecordedValue,
  at: SourceLocation,
): KnownValue<Record<string, unknown>> {
  return {
    value: value as Record<string, unknown>,
    at,
    origins: [{ path: [], origin: 'traced' }],
    locate: () => at,
  }
}

function problem(
  { path, why }: RecordedValue['holes'][number],
  at: SourceLocation,
  what: string,
): Diagnostic {
  return describeHole({ path, why, at, reported: false }, what)
}
