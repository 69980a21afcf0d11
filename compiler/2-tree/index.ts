import { diagnostic } from '../errors.ts'
import type {
  Arms,
  CompilerChoice,
  ContextNode,
  ContextTree,
  Report,
  RouteNode,
  ScannedContext,
  ScannedOperation,
  ScannedRoute,
  ScannedSchema,
  SharedSchema,
  SourceGraph,
  StaticValue,
} from '../model.ts'
import { expandUrls } from './urls.ts'

/** A shared schema with the conditions that it is added under. */
interface AddedSchema extends SharedSchema {
  readonly arms: Arms
}

/** What a context hands on to those inside it. */
interface Inherited {
  readonly schemas: readonly AddedSchema[]
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/**
 * The application as its encapsulation contexts: full URLs, shared schemas by `$id`, and who
 * compiles what. What the scan could not know is reported here, unless the application compiles it
 * itself.
 */
export function buildTree(graph: SourceGraph, report: Report): ContextTree {
  const { options } = graph
  const root = buildContext(graph.root, {
    schemas: [],
    validatorCompiler: options.validatorCompiler,
    serializerCompiler: options.serializerCompiler,
  })
  return { options, root }

  function buildContext(context: ScannedContext, inherited: Inherited): ContextNode {
    const own = {
      validatorCompiler: chosen(context, 'validator'),
      serializerCompiler: chosen(context, 'serializer'),
    }
    const added = addSchemas(context, inherited.schemas)
    const scope: Inherited = {
      schemas: [...inherited.schemas, ...added],
      validatorCompiler: own.validatorCompiler ?? inherited.validatorCompiler,
      serializerCompiler: own.serializerCompiler ?? inherited.serializerCompiler,
    }
    return {
      name: context.name,
      prefix: context.prefix,
      at: context.at,
      schemas: added.map(({ id, schema, at }) => ({ id, schema, at })),
      routes: pick(context, 'route').flatMap(({ route }) =>
        buildRoutes(route, context.prefix, scope),
      ),
      children: pick(context, 'child').map((child) => buildContext(child.context, scope)),
      ...own,
    }
  }

  function addSchemas(context: ScannedContext, visible: readonly AddedSchema[]): AddedSchema[] {
    const added: AddedSchema[] = []
    for (const { schemas, at, arms } of pick(context, 'schema')) {
      for (const scanned of schemas) {
        const schema = complete(scanned, 'shared schema')
        if (schema === undefined) continue
        const id = (schema.value as Record<string, unknown> | undefined)?.['$id']
        if (typeof id !== 'string' || id === '') {
          report(diagnostic('AOT_SCHEMA_MISSING_ID', at))
          continue
        }
        const first = [...visible, ...added].find(
          (one) => one.id === id && !exclude(one.arms, arms),
        )
        if (first !== undefined) {
          const { file, line, column } = first.at
          const place = `${file}:${line}:${column}`
          report(diagnostic('AOT_SCHEMA_DUPLICATE_ID', at, id, context.name, place))
          continue
        }
        added.push({ id, schema: schema as SharedSchema['schema'], at, arms })
      }
    }
    return added
  }

  function buildRoutes(route: ScannedRoute, prefix: string, scope: Inherited): RouteNode[] {
    const isHead = route.methods.length === 1 && route.methods[0] === 'HEAD'
    const urls = expandUrls(prefix, route.path, route.prefixTrailingSlash, isHead, graph)
    const schemas = route.schemas.map((scanned) => routeSchema(scanned, route, scope))
    return urls.flatMap((url) =>
      schemas.map((schema) => ({
        methods: route.methods,
        url,
        at: route.at,
        schema,
        validatorCompiler: route.validatorCompiler,
        serializerCompiler: route.serializerCompiler,
        exposeHeadRoute: route.exposeHeadRoute ?? options.exposeHeadRoutes,
      })),
    )
  }

  /** The schema of a route; parts that the application compiles itself may be unknown. */
  function routeSchema(
    scanned: ScannedSchema,
    route: ScannedRoute,
    scope: Inherited,
  ): RouteNode['schema'] {
    const validator = route.validatorCompiler ?? scope.validatorCompiler
    const serializer = route.serializerCompiler ?? scope.serializerCompiler
    const matters = scanned.holes.filter(({ path: [part] }) => {
      if (part === 'response') return serializer !== 'own'
      if (part === undefined) return true
      return validatedParts.has(part) && validator !== 'own'
    })
    const { value } = scanned.value
    const schema = complete({ ...scanned, holes: matters }, 'schema of this route')
    return typeof value === 'object' && value !== null ? (schema as RouteNode['schema']) : undefined
  }

  function complete(scanned: ScannedSchema, what: string): StaticValue | undefined {
    for (const { path, why, at, reported } of scanned.holes) {
      if (reported) continue
      const name = path.length === 0 ? what : `${shorten(path)} of the ${what}`
      report(diagnostic('AOT_SCHEMA_NOT_STATIC', at, name, why))
    }
    return scanned.holes.length === 0 ? scanned.value : undefined
  }
}

/** A path as a message shows it; the place says the rest. */
function shorten(path: readonly (string | number)[]): string {
  return path.length > 6 ? `${path.slice(0, 6).join('.')}…` : path.join('.')
}

const validatedParts: ReadonlySet<string | number> = new Set([
  'body',
  'headers',
  'params',
  'query',
  'querystring',
])

function pick<T extends ScannedOperation['type']>(
  context: ScannedContext,
  type: T,
): Extract<ScannedOperation, { type: T }>[] {
  return context.operations.filter(
    (operation): operation is Extract<ScannedOperation, { type: T }> => operation.type === type,
  )
}

function chosen(context: ScannedContext, which: 'validator' | 'serializer'): 'own' | undefined {
  return pick(context, 'compiler').some((operation) => operation.which === which)
    ? 'own'
    : undefined
}

/** Whether no run of the application does both. */
function exclude(a: Arms, b: Arms): boolean {
  return a.some(({ site, arm }) => b.some((other) => other.site === site && other.arm !== arm))
}
