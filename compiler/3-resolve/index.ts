/** Phase 3: compile units, and the bindings of routes to them. */
import { isDeepStrictEqual } from 'node:util'
import type { RouteFactories } from '../../runtime/artifact/index.ts'
import { cloneSchema, type RouteSchema } from '../../runtime/artifact/normalize.ts'
import { routeDigest } from '../../runtime/artifact/route-digest.ts'
import { createSettingsTable } from '../../runtime/artifact/settings.ts'
import { createUnitFactory, type UnitFactory } from '../../runtime/artifact/units.ts'
import { profileOf, type TargetProfile } from '../servers/index.ts'
import { contextPaths, instancesOf } from '../report/context-path.ts'
import { diagnostic } from '../report/errors.ts'
import type {
  Binding,
  Branches,
  CompilerChoice,
  CompileUnit,
  ContextNode,
  ContextTree,
  DefaultCompiler,
  Diagnostic,
  Digest,
  ExternalPart,
  FactoryOptions,
  InstanceTree,
  OnDiagnostic,
  ResolvedApp,
  ResolvedRoute,
  ResolvedUnit,
  RouteNode,
  SharedSchema,
  KnownValue,
} from '../model/index.ts'
import { BrokenRule, describeBrokenRule, fail, without } from './broken-rules.ts'
import type { FunctionOptions } from './function-options.ts'
import { exclude } from '../util/branches.ts'
import { casesOf } from './cases.ts'
import { valueAt } from '../util/json.ts'
import {
  warnOfDataPattern,
  warnOfMediaType,
  warnOfMisspeltParts,
  warnOfReplacedSchema,
} from './warnings.ts'

type Target = Pick<Binding, 'httpPart' | 'httpStatus' | 'contentType'>

interface Inherited {
  readonly options: FactoryOptions
  readonly functions: FunctionOptions
  readonly schemas: readonly SharedSchema[]
  readonly validatorCompiler: CompilerChoice
  readonly serializerCompiler: CompilerChoice
}

/** A context with everything that it inherits, under some conditions. */
interface Scope extends Inherited {
  readonly branches: Branches
  /** A validator compiler was set at some time: from then on header schemas aren't changed, whoever compiles them. */
  readonly keepsHeaders: boolean
  readonly path: string
  readonly externals: Readonly<Record<string, unknown>>
  readonly validators: UnitFactory
  readonly serializers: UnitFactory
  /** The kinds of functions that routes get in it. */
  readonly used: Set<CompileUnit['kind']>
}

/**
 * Reduces the context trees to distinct compile units, plus the bindings that say which route uses which unit.
 *
 * Instances and encapsulation end here. The context in which a `$ref` is written decides what it refers to, so each unit contains the schemas
 * that it refers to, and no later phase needs to know about contexts.
 */
export function resolve(
  tree: ContextTree,
  functions: readonly FunctionOptions[],
  report: OnDiagnostic,
  profile: TargetProfile = profileOf('framework'),
): ResolvedApp {
  const resolver = new Resolver(report, profile, contextPaths(tree))
  for (const [i, instance] of instancesOf(tree).entries())
    resolver.add(instance, functions[i] as FunctionOptions)
  return resolver.app
}

class Resolver {
  readonly #report: OnDiagnostic
  readonly #profile: TargetProfile
  readonly #paths: ReadonlyMap<ContextNode, string>
  /** Units and bindings that all instances of the application share. */
  readonly app = {
    units: new Map<Digest, ResolvedUnit>(),
    bindings: [] as Binding[],
    variants: new Map<RouteNode, RouteNode[]>(),
    external: [] as ExternalPart[],
    routes: [] as ResolvedRoute[],
    options: new Set<string>(),
    settings: createSettingsTable(),
    compilers: [] as DefaultCompiler[],
  }

  constructor(
    report: OnDiagnostic,
    profile: TargetProfile,
    paths: ReadonlyMap<ContextNode, string>,
  ) {
    this.#report = report
    this.#profile = profile
    this.#paths = paths
  }

  add({ root, options }: InstanceTree, functions: FunctionOptions): void {
    const { validatorCompiler, serializerCompiler } = options
    this.#addContext(root, {
      options,
      functions,
      schemas: [],
      validatorCompiler,
      serializerCompiler,
    })
  }

  #addContext(context: ContextNode, parent: Inherited): void {
    const inherited: Inherited = {
      ...parent,
      schemas: [...parent.schemas, ...context.schemas],
      validatorCompiler: context.validatorCompiler ?? parent.validatorCompiler,
      serializerCompiler: context.serializerCompiler ?? parent.serializerCompiler,
    }
    const cases = casesOf(inherited.schemas, this.#report)
    const scopes = cases.map((one) => this.#scopeOf(context, { ...inherited, ...one }))
    for (const route of context.routes) {
      for (const one of [route, ...(route.twins ?? [])]) this.#addInEach(one, scopes)
    }
    for (const { used, schemas, externals, path: name } of scopes) {
      for (const kind of used) {
        const options = parent.functions[kind]
        this.app.compilers.push({ kind, options, schemas, externals, context: name })
      }
    }
    for (const child of context.children) this.#addContext(child, inherited)
  }

  /** Adds a route, and a variant of it for each of the other scopes in which it gets other functions. */
  #addInEach(route: RouteNode, scopes: readonly Scope[]): void {
    const [first, ...others] = scopes.filter(({ branches }) => !exclude(branches, route.branches))
    if (first === undefined) return
    const seen = [this.#addRoute(route, first)]
    for (const scope of others) {
      const counts = this.#counts()
      const variant: RouteNode = { ...route, isConditional: true }
      const digests = this.#addRoute(variant, scope)
      if (seen.some((one) => isDeepStrictEqual(one, digests))) this.#undo(counts)
      else {
        seen.push(digests)
        this.app.variants.set(route, [...(this.app.variants.get(route) ?? []), variant])
      }
    }
  }

  #counts(): readonly [bindings: number, external: number] {
    return [this.app.bindings.length, this.app.external.length]
  }

  #undo([bindings, external]: readonly [bindings: number, external: number]): void {
    this.app.bindings.length = bindings
    this.app.external.length = external
  }

  #scopeOf(context: ContextNode, inherited: Inherited & Pick<Scope, 'branches'>): Scope {
    const { schemas, validators, serializers } = this.#profile
    const visible = inOrder(inherited.schemas)
    const externals = Object.fromEntries(
      visible.map(({ id, schema }) => [id, schemas.shared(schema.value)]),
    )
    const { validator, serializer } = inherited.functions
    return {
      ...inherited,
      schemas: visible,
      path: this.#paths.get(context) as string,
      externals,
      ...this.#compilersOf(context, inherited),
      validators: createUnitFactory('validator', externals, validator, validators.line),
      serializers: createUnitFactory('serializer', externals, serializer, serializers.line),
      used: new Set(),
    }
  }

  #compilersOf(
    { compilers, schemas }: ContextNode,
    inherited: Inherited,
  ): Pick<Scope, 'keepsHeaders' | 'validatorCompiler' | 'serializerCompiler'> {
    const { options } = inherited
    if (compilers !== undefined) {
      return {
        keepsHeaders: compilers.keepsHeaders || options.validatorCompiler === 'own',
        validatorCompiler: compilers.validator ?? options.validatorCompiler,
        serializerCompiler: compilers.serializer ?? options.serializerCompiler,
      }
    }
    // A context that adds schemas itself gets the factory's compilers again, whatever was set (as in Fastify 4.21).
    const { validatorCompiler, serializerCompiler } = schemas.length > 0 ? options : inherited
    const keepsHeaders = inherited.validatorCompiler === 'own'
    return { keepsHeaders, validatorCompiler, serializerCompiler }
  }

  /** Adds the bindings of a route, and returns the digests of its functions. */
  #addRoute(given: RouteNode, scope: Scope): readonly Digest[] {
    if (given.schema === undefined) return []
    warnOfMisspeltParts(given).forEach(this.#report)
    const route = this.#withoutText(this.#withoutUselessBody(given, scope))
    if (route.schema === undefined) return []
    const counts = this.#counts()
    try {
      const { jsonShorthand } = scope.options
      const copy = cloneSchema(route.schema.value) as RouteSchema
      const schema = this.#profile.schemas.normalize(copy, { jsonShorthand }, fail)
      const isValidated = this.#addValidators(route, scope, schema)
      const isSerialized = this.#addSerializers(route, scope, schema)
      const bindings = this.app.bindings.slice(counts[0])
      if (bindings.length > 0 && this.#profile.schemas.areLookedUpByRoute) {
        const factories = {
          validators: isValidated ? scope.validators : undefined,
          serializers: isSerialized ? scope.serializers : undefined,
        }
        this.#addResolvedRoute(route.schema, schema, bindings, factories, scope.keepsHeaders)
      }
      return bindings.map(({ digest }) => digest)
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error
      const { problem, path } = describeBrokenRule(error, route)
      // The application's own compiler reads this part at run time. Only the scan lacks a piece of it.
      const isOpaque = route.opaque.includes(String(path.at(-1)).toLowerCase())
      if (!isOpaque) this.#report(problem)
      // Try again without the broken member, to report further problems of the route.
      this.#undo(counts)
      return this.#addRoute(without(route, path), scope)
    }
  }

  /** Reports a body schema of a method that has no body, and removes it. */
  #withoutUselessBody(route: RouteNode, { options: { withBody } }: Scope): RouteNode {
    const { schema, methods, url } = route
    const bodiless = methods.find(
      (method) => this.#profile.routes.bodiless.has(method) && !withBody?.includes(method),
    )
    if (bodiless === undefined || !schema?.value.body) return route
    const at = schema.locate(['body'])
    this.#report(diagnostic('AOT_BODY_SCHEMA_NOT_SUPPORTED', at, bodiless, url))
    return without(route, ['body'])
  }

  /** Reports a `response` that is a string instead of schemas by status, and removes it. */
  #withoutText(route: RouteNode): RouteNode {
    const { response } = route.schema?.value ?? {}
    if (typeof response !== 'string' || response === '') return route
    const at = route.schema?.locate(['response']) ?? route.at
    const what = `response of ${route.methods[0]} ${route.url}`
    const hint = 'Give each status its schema.'
    const why = `it is ${JSON.stringify(response)}`
    this.#report(diagnostic('AOT_SCHEMA_INVALID', at, what, why, hint))
    return without(route, ['response'])
  }

  /** Adds the digest by which the runtime recognises the whole route. */
  #addResolvedRoute(
    written: KnownValue<Record<string, unknown>>,
    schema: RouteSchema,
    bindings: readonly Binding[],
    factories: RouteFactories,
    keepsHeaders: boolean,
  ): void {
    const numberOf = (factory: UnitFactory | undefined): number =>
      factory === undefined ? 0 : this.app.settings.numberOf(factory)
    const digest = routeDigest(schema, factories, keepsHeaders, this.#profile.schemas)
    if (digest === undefined) return
    this.app.routes.push({
      digest,
      written: written.value,
      validators: numberOf(factories.validators),
      serializers: numberOf(factories.serializers),
      keepsHeaders,
      functions: functionsOf(bindings, written),
    })
  }

  /** Returns whether the artifact gets functions for the parts of requests. */
  #addValidators(route: RouteNode, scope: Scope, schema: RouteSchema): boolean {
    const isOwn = (route.validatorCompiler ?? scope.validatorCompiler) === 'own'
    const parts = this.#profile.schemas.validators(schema, isOwn || scope.keepsHeaders)
    for (const { schema: part, ...target } of parts) {
      if (isOwn) this.app.external.push({ route, context: scope.path, ...target })
      else this.#bind(route, scope, target, scope.validators, part as object)
    }
    return !isOwn && parts.length > 0
  }

  /** Returns whether the artifact gets functions for the responses. */
  #addSerializers(route: RouteNode, scope: Scope, schema: RouteSchema): boolean {
    const isOwn = (route.serializerCompiler ?? scope.serializerCompiler) === 'own'
    for (const { schema: part, ...target } of this.#profile.schemas.serializers(schema, fail)) {
      if (isOwn) this.app.external.push({ route, context: scope.path, ...target })
      else this.#bind(route, scope, target, scope.serializers, part as object)
    }
    return !isOwn && !!schema.response
  }

  #bind(route: RouteNode, scope: Scope, target: Target, factory: UnitFactory, part: object): void {
    const unit = factory.unit(part, target.httpPart)
    const path = sourcePathOf(route.schema?.value ?? {}, target)
    const at = route.schema?.locate(path) ?? route.at
    const binding = { route, context: scope.path, ...target, digest: unit.digest, at, path }
    if (!this.app.units.has(unit.digest)) {
      this.app.units.set(unit.digest, { ...unit, at })
      this.#reportAny(warnOfDataPattern(unit, binding))
      this.#reportAny(warnOfReplacedSchema(unit, binding, scope.schemas))
    }
    this.#reportAny(warnOfMediaType(binding))
    this.app.bindings.push(binding)
    if (scope.used.has(unit.kind)) return
    scope.used.add(unit.kind)
    this.app.options.add(factory.settings()[0] as string)
  }

  #reportAny(problem: Diagnostic | undefined): void {
    if (problem !== undefined) this.#report(problem)
  }
}

/** Sorts shared schemas as a boot adds them: those of a parent may come after those of its children. */
function inOrder(schemas: readonly SharedSchema[]): readonly SharedSchema[] {
  const numbers = schemas.map(({ order }) => order ?? NaN)
  if (numbers.some(Number.isNaN)) return schemas
  return schemas.toSorted((a, b) => Number(a.order) - Number(b.order))
}

function functionsOf(bindings: readonly Binding[], schema: KnownValue): ResolvedRoute['functions'] {
  return bindings.map((one) => ({
    ...targetOf(one),
    digest: one.digest,
    schema: valueAt(schema.value, one.path),
  }))
}

/** The path of a target in the route's `schema` option as the user wrote it. */
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

function targetOf({ httpPart, httpStatus, contentType }: Target): Target {
  return {
    ...(httpPart !== undefined && { httpPart }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(contentType !== undefined && { contentType }),
  }
}
