/** Phase 2: the tree of encapsulation contexts. */
import { isDeepStrictEqual } from 'node:util'
import { type TargetProfile, profileOf } from '../servers/index.ts'
import { diagnostic } from '../report/errors.ts'
import type {
  ContextNode,
  ContextTree,
  Diagnostic,
  DynamicPart,
  InstanceTree,
  OnDiagnostic,
  RouteNode,
  ScannedContext,
  ScannedInstance,
  ScannedOperation,
  ScannedRoute,
  ScannedSchema,
  SharedSchema,
  SourceGraph,
  KnownValue,
  LibraryPart,
  UnknownSchema,
} from '../model/index.ts'
import { exclude } from '../util/branches.ts'
import { describeHole, hasNoEffect, partOf, withoutParts } from './parts.ts'
import { declareRoutes } from './declare-routes.ts'
import { withoutRepeated } from './repeated.ts'
import { expandUrls, twinUrl } from './urls.ts'

/**
 * Builds the tree of encapsulation contexts, with full URLs, shared schemas by `$id`, and the application's own compilers. Reports
 * values that the scan couldn't know, except in parts that the application compiles itself.
 */
export function buildTree(
  graph: SourceGraph,
  report: OnDiagnostic,
  target: TargetProfile = profileOf('framework'),
): ContextTree {
  const others = graph.others.map((one) => buildInstance(one, report, target))
  return { ...buildInstance(graph, report, target), others }
}

function buildInstance(
  instance: ScannedInstance,
  report: OnDiagnostic,
  target: TargetProfile,
): InstanceTree {
  const { options } = instance
  const hasTwin = declareRoutes(instance, report, target)
  const positions = new Map<ScannedOperation, number>()
  numberSchemas(instance.root)
  const root = buildContext(instance.root, [])
  return { options, root }

  function numberSchemas({ operations }: ScannedContext): void {
    for (const operation of operations) {
      if (operation.type === 'child') numberSchemas(operation.context)
      else if (operation.type === 'schema') positions.set(operation, positions.size)
    }
  }

  function buildContext(context: ScannedContext, inherited: readonly SharedSchema[]): ContextNode {
    const { operations: _, ...rest } = context
    const { added, unknown } = addSchemas(context, inherited)
    const visible = [...inherited, ...added]
    const node = {
      ...rest,
      schemas: added,
      unknownSchemas: unknown,
      routes: operationsOf(context, 'route').flatMap(({ route }) => buildRoutes(route, context)),
      children: operationsOf(context, 'child').map((child) => buildContext(child.context, visible)),
      validatorCompiler: compilerIn(context, 'validator'),
      serializerCompiler: compilerIn(context, 'serializer'),
    }
    return withoutRepeated(node, visible)
  }

  function addSchemas(
    context: ScannedContext,
    visible: readonly SharedSchema[],
  ): { added: SharedSchema[]; unknown: UnknownSchema[] } {
    const added: SharedSchema[] = []
    const unknown: UnknownSchema[] = []
    for (const operation of operationsOf(context, 'schema')) {
      const { schemas, at } = operation
      for (const { value: schema, holes: all, branches } of schemas) {
        const holes = all.filter((hole) => !hasNoEffect(hole, options, schema.value))
        const id = (schema.value as Record<string, unknown> | null | undefined)?.['$id']
        if (holes.length > 0) {
          const problems = holes.map((hole) => describeHole(hole, 'shared schema'))
          for (const [i, problem] of problems.entries()) if (!holes[i]?.reported) report(problem)
          const [problem] = problems as [Diagnostic]
          unknown.push({ id: typeof id === 'string' ? id : undefined, at, problem })
          continue
        }
        if (typeof id !== 'string' || id === '') {
          report(diagnostic('AOT_SCHEMA_MISSING_ID', at))
          continue
        }
        const first = [...visible, ...added].find(
          (one) => one.id === id && !exclude(one.branches, branches),
        )
        if (first !== undefined) {
          const place = `${first.at.file}:${first.at.line}:${first.at.column}`
          report(diagnostic('AOT_SCHEMA_DUPLICATE_ID', at, id, context.name, place))
          continue
        }
        added.push({
          id,
          order: positions.get(operation) as number,
          schema: schema as SharedSchema['schema'],
          at,
          branches,
        })
      }
    }
    return { added, unknown }
  }

  function buildRoutes(route: ScannedRoute, context: ScannedContext): RouteNode[] {
    const { prefix } = context
    const urls = expandUrls(prefix, route, instance.options.router)
    const name = `${route.methods.join(', ')} ${urls[0]}`
    const schemas = route.schemas.map((scanned) => readSchema(scanned, name, route, context))
    return urls.flatMap((url) => {
      const urlOfTwin = twinUrl(prefix, url)
      const twins = route.twins
        .flatMap((twin) => buildRoutes(twin, context))
        .filter(
          (twin) =>
            twin.url === urlOfTwin &&
            !(
              schemas.some((one) => hasSameSchemas(one, twin)) &&
              isDeepStrictEqual(twin.hooks, route.hooks)
            ),
        )
      const isExposed = route.exposeHeadRoute ?? options.exposeHeadRoutes
      const getsTwin = route.wantsTwin && isExposed && hasTwin(route, url)
      return schemas.map((schema, index) => ({
        ...(index === 0 && twins.length > 0 && { twins }),
        methods: route.methods,
        url,
        at: route.at,
        ...schema,
        isConditional: route.branches.length > 0 || schemas.length > 1,
        branches: (route.schemas[index] as ScannedSchema).branches,
        constraints: route.constraints,
        hooks: route.hooks,
        options: route.options,
        isDocumented: route.isDocumented,
        validatorCompiler: route.validatorCompiler,
        serializerCompiler: route.serializerCompiler,
        exposeHeadRoute: isExposed,
        twinUrl: getsTwin ? urlOfTwin : undefined,
      }))
    })
  }

  /** Reads the schema of a route. Parts that the application compiles itself may be unknown. */
  function readSchema(
    scanned: ScannedSchema,
    name: string,
    route: ScannedRoute,
    { compilers }: ScannedContext,
  ): ReadSchema {
    const validator = route.validatorCompiler ?? compilers.validator ?? options.validatorCompiler
    const serializer =
      route.serializerCompiler ?? compilers.serializer ?? options.serializerCompiler
    const dynamic: DynamicPart[] = []
    const opaque = new Set<string>()
    const libraries: Record<string, LibraryPart[]> = {}
    for (const hole of scanned.holes) {
      const part = partOf(hole.path)
      if (part === undefined) continue
      // Any other key beside the statuses counts as a status, too.
      const isStatus = hole.path[0] === 'response' && hole.path.length === 2
      if (!isStatus && hasNoEffect(hole, options, scanned.value.value)) continue
      const choice = hole.path[0] === 'response' ? serializer : validator
      if (choice === 'own' && part !== 'schema') {
        if (hole.described === undefined) opaque.add(part)
        else (libraries[part] ??= []).push(hole.described)
        continue
      }
      const problem = describeHole(hole, `schema of ${name}`)
      if (!hole.reported) report(problem)
      dynamic.push({ part, problem })
    }
    const { value } = scanned.value
    const isSchema = typeof value === 'object' && value !== null
    const known = scanned.value as KnownValue<Record<string, unknown>>
    const schema = isSchema ? withoutParts(known, dynamic) : undefined
    return { schema, dynamic, opaque: [...opaque], libraries }
  }
}

type ReadSchema = Pick<RouteNode, 'schema' | 'dynamic' | 'opaque' | 'libraries'>

function hasSameSchemas(one: ReadSchema, other: ReadSchema): boolean {
  const partsOf = ({ schema, dynamic, opaque }: ReadSchema): unknown => [
    compiledParts.map((part) => schema?.value[part]),
    dynamic.map(({ part }) => part),
    opaque,
  ]
  return isDeepStrictEqual(partsOf(one), partsOf(other))
}

const compiledParts = ['body', 'headers', 'params', 'query', 'querystring', 'response'] as const

function operationsOf<T extends ScannedOperation['type']>(
  context: ScannedContext,
  type: T,
): Extract<ScannedOperation, { type: T }>[] {
  return context.operations.filter(
    (operation): operation is Extract<ScannedOperation, { type: T }> => operation.type === type,
  )
}

function compilerIn(context: ScannedContext, which: 'validator' | 'serializer'): 'own' | undefined {
  return operationsOf(context, 'compiler').some((operation) => operation.which === which)
    ? 'own'
    : undefined
}
