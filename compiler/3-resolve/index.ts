import type { RouteSchema } from '../../runtime/artifact/normalize.ts'
import { cloneSchema } from '../../runtime/artifact/normalize.ts'
import { routeDigest } from '../../runtime/artifact/route-digest.ts'
import { addSlots, textOfSlots } from '../../runtime/artifact/route-slots.ts'
import { createSettingsTable } from '../../runtime/artifact/settings.ts'
import type { UnitFactory } from '../../runtime/artifact/units.ts'
import { createUnitFactory } from '../../runtime/artifact/units.ts'
import type { TargetProfile } from '../target-profiles/index.ts'
import { profileOf } from '../target-profiles/index.ts'
import { contextPaths } from '../report/context-path.ts'
import { diagnostic } from '../report/errors.ts'
import type {
  Binding,
  CompilerChoice,
  CompileUnit,
  ContextNode,
  ContextTree,
  Digest,
  ExternalRoute,
  Report,
  ResolvedApp,
  ResolvedRoute,
  ResolvedUnit,
  RouteNode,
  SharedSchema,
  StaticValue,
} from '../model/index.ts'
import { BrokenRule, describeBrokenRule, fail, memberAt, without } from './broken-rules.ts'
import { warnOfDataPattern } from './data-patterns.ts'
import type { FunctionOptions } from './function-options.ts'
import { warnOfMisspeltParts } from './misspelt-parts.ts'

/** What a schema validates or serializes. */
type Target = Pick<Binding, 'httpPart' | 'httpStatus' | 'contentType'>

/** What a context hands on to the contexts in it. */
interface Inherited {
  readonly schemas: readonly SharedSchema[]
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/** A context with what it inherits. */
interface Scope extends Inherited {
  /** A compiler was set at some time: from then on header schemas are left as they are, whoever compiles them. */
  readonly keepsHeaders: boolean
  readonly path: string
  /** The shared schemas, by `$id`. */
  readonly externals: Readonly<Record<string, unknown>>
  readonly validators: UnitFactory
  readonly serializers: UnitFactory
  /** Those of them that routes have something for. */
  readonly used: Set<CompileUnit['kind']>
}

/**
 * Reduces the context tree to one compile unit per distinct schema, plus the bindings that say which route
 * uses which unit.
 *
 * Encapsulation ends here. A `$ref` means whatever the context that it is written in says it means, so each
 * unit takes the schemas that it refers to along and no later phase needs to know about contexts.
 */
export function resolve(
  tree: ContextTree,
  live: FunctionOptions,
  report: Report,
  line: TargetProfile = profileOf('framework'),
): ResolvedApp {
  const units = new Map<Digest, ResolvedUnit>()
  const bindings: Binding[] = []
  const external: ExternalRoute[] = []
  const routes: ResolvedRoute[] = []
  const settings = createSettingsTable()
  const shared = { validator: new Set<SharedSchema>(), serializer: new Set<SharedSchema>() }
  const { options } = tree
  const paths = contextPaths(tree.root)
  visit(tree.root, {
    schemas: [],
    validatorCompiler: options.validatorCompiler,
    serializerCompiler: options.serializerCompiler,
  })
  return { units, bindings, external, routes, settings, shared }

  function visit(context: ContextNode, parent: Inherited): void {
    const inherited: Inherited = {
      schemas: [...parent.schemas, ...context.schemas],
      validatorCompiler: context.validatorCompiler ?? parent.validatorCompiler,
      serializerCompiler: context.serializerCompiler ?? parent.serializerCompiler,
    }
    const externals = Object.fromEntries(
      inherited.schemas.map(({ id, schema }) => [id, line.schemas.shared(schema.value)]),
    )
    const scope: Scope = {
      ...inherited,
      path: paths.get(context) as string,
      externals,
      ...compilersOf(context, inherited),
      validators: createUnitFactory('validator', externals, live.validator, line.validators.line),
      serializers: createUnitFactory(
        'serializer',
        externals,
        live.serializer,
        line.serializers.line,
      ),
      used: new Set(),
    }
    for (const route of context.routes) {
      addRoute(route, scope)
      for (const twin of route.twins ?? []) addRoute(twin, scope)
    }
    for (const kind of scope.used) scope.schemas.forEach((schema) => shared[kind].add(schema))
    for (const child of context.children) visit(child, inherited)
  }

  function compilersOf(
    { compilers, schemas }: ContextNode,
    inherited: Inherited,
  ): Pick<Scope, 'keepsHeaders' | 'validatorCompiler' | 'serializerCompiler'> {
    if (compilers !== undefined) {
      return {
        keepsHeaders: compilers.keepsHeaders || options.validatorCompiler === 'own',
        validatorCompiler: compilers.validator ?? options.validatorCompiler,
        serializerCompiler: compilers.serializer ?? options.serializerCompiler,
      }
    }
    // A context that adds schemas itself gets default compilers again, whatever was set (as Fastify 4.21 does).
    const { validatorCompiler, serializerCompiler } = schemas.length > 0 ? options : inherited
    const keepsHeaders = inherited.validatorCompiler === 'own'
    return { keepsHeaders, validatorCompiler, serializerCompiler }
  }

  function addRoute(route: RouteNode, scope: Scope): void {
    const { schema } = route
    if (schema === undefined) return
    warnOfMisspeltParts(route).forEach(report)
    const bodiless = route.methods.find(
      (method) => line.routes.bodiless.has(method) && !options.withBody?.includes(method),
    )
    if (bodiless !== undefined && schema.value.body) {
      report(
        diagnostic('AOT_BODY_SCHEMA_NOT_SUPPORTED', schema.locate(['body']), bodiless, route.url),
      )
      return addRoute(without(route, ['body']), scope)
    }
    const counts = [bindings.length, external.length] as const
    try {
      const normalized = line.schemas.normalize(
        cloneSchema(schema.value) as RouteSchema,
        { jsonShorthand: options.jsonShorthand },
        fail,
      )
      const first = bindings.length
      const isValidated = addValidators(route, scope, normalized)
      const isSerialized = addSerializers(route, scope, normalized)
      const factories = {
        validators: isValidated ? scope.validators : undefined,
        serializers: isSerialized ? scope.serializers : undefined,
      }
      const own = bindings.slice(first)
      const parts = own.map(({ digest }) => digest)
      if (parts.length > 0 && line.schemas.areWhole) {
        const slots: unknown[] = []
        addSlots(slots, normalized, factories, settings.numberOf, scope.keepsHeaders)
        const digest = routeDigest(normalized, factories, scope.keepsHeaders)
        const text = textOfSlots(slots)
        if (text !== undefined) {
          routes.push({
            text,
            digest,
            parts,
            written: schema.value,
            validators: factories.validators ? settings.numberOf(factories.validators) : 0,
            serializers: factories.serializers ? settings.numberOf(factories.serializers) : 0,
            keepsHeaders: scope.keepsHeaders,
            functions: () => functionsOf(own, schema),
          })
        }
      }
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error
      const { problem, path } = describeBrokenRule(error, route)
      report(problem)
      // What else is wrong with the route is told as well.
      ;[bindings.length, external.length] = counts
      addRoute(without(route, path), scope)
    }
  }

  /** Whether the artifact gets functions for the parts of its requests. */
  function addValidators(route: RouteNode, scope: Scope, schema: RouteSchema): boolean {
    const isOwn = (route.validatorCompiler ?? scope.validatorCompiler) === 'own'
    const parts = line.schemas.validators(schema, isOwn || scope.keepsHeaders)
    for (const { schema: part, ...target } of parts) {
      if (isOwn) external.push({ ...siteOf(route, scope), ...target })
      else bind(route, scope, target, scope.validators, part as object)
    }
    return !isOwn && parts.length > 0
  }

  function addSerializers(route: RouteNode, scope: Scope, schema: RouteSchema): boolean {
    const isOwn = (route.serializerCompiler ?? scope.serializerCompiler) === 'own'
    for (const { schema: part, ...target } of line.schemas.serializers(schema, fail)) {
      if (isOwn) external.push({ ...siteOf(route, scope), ...target })
      else bind(route, scope, target, scope.serializers, part as object)
    }
    return !isOwn && !!schema.response
  }

  function bind(
    route: RouteNode,
    scope: Scope,
    target: Target,
    factory: UnitFactory,
    part: object,
  ): void {
    const unit = factory.unit(part, target.httpPart)
    const path = sourcePathOf(route.schema?.value ?? {}, target)
    const at = route.schema?.locate(path) ?? route.at
    const binding = { ...siteOf(route, scope), ...target, digest: unit.digest, at, path }
    if (!units.has(unit.digest)) {
      const plain = (): Digest | undefined => factory.plainDigest(part, target.httpPart)
      units.set(unit.digest, { ...unit, plain, among: scope.externals, at })
      const problem = warnOfDataPattern(unit, binding)
      if (problem !== undefined) report(problem)
    }
    bindings.push(binding)
    scope.used.add(unit.kind)
  }
}

function functionsOf(
  bindings: readonly Binding[],
  schema: StaticValue,
): ReturnType<ResolvedRoute['functions']> {
  return bindings.map((one) => ({
    ...targetOf(one),
    digest: one.digest,
    schema: memberAt(schema.value, one.path),
  }))
}

function siteOf(route: RouteNode, scope: Scope): Pick<Binding, 'route' | 'context'> {
  return { route, context: scope.path }
}

/** Where the schema of `target` stands in the route's `schema` option as the user wrote it. */
function sourcePathOf(schema: Record<string, unknown>, target: Target): readonly string[] {
  const { httpPart, httpStatus, contentType } = target
  const inContent = contentType === undefined ? [] : ['content', contentType, 'schema']
  if (httpPart !== undefined) {
    return [httpPart === 'querystring' && schema.query ? 'query' : httpPart, ...inContent]
  }
  const keys = Object.keys((schema.response ?? {}) as object)
  const status = keys.findLast((key) => key.toLowerCase() === httpStatus) ?? ''
  return ['response', status, ...inContent]
}

/** The target alone, without members that are `undefined`. */
function targetOf({ httpPart, httpStatus, contentType }: Target): Target {
  return {
    ...(httpPart !== undefined && { httpPart }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(contentType !== undefined && { contentType }),
  }
}
