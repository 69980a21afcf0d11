import { isDeepStrictEqual } from 'node:util'
import { withoutAnnotations } from '../../runtime/artifact/annotations.ts'
import { alignContexts, routeKey } from './align.ts'
import { diagnostic } from '../report/errors.ts'
import { groupBy } from '../util/group-by.ts'
import type {
  Binding,
  ContextNode,
  ContextTree,
  Diagnostic,
  OnDiagnostic,
  ResolvedApp,
  RouteNode,
  SharedSchema,
} from '../model/index.ts'

/** A tree with the result of resolving it. */
export interface Resolved {
  readonly tree: ContextTree
  readonly app: ResolvedApp
}

/**
 * Reports differences between the application found in the source and the booted one: contexts, shared schemas, routes, and the
 * validator or serializer of each part. Conditional contexts and routes may be missing.
 *
 * @param ofPackages routes that packages declare. The build need not know those without schemas
 */
export function compare(
  scanned: Resolved,
  recorded: Resolved,
  ofPackages: ReadonlySet<RouteNode>,
  report: OnDiagnostic,
): void {
  const scannedBindings = bindingsByRoute(scanned.app)
  const recordedBindings = bindingsByRoute(recorded.app)
  compareContexts(scanned.tree.root, recorded.tree.root)

  function compareContexts(one: ContextNode, other: ContextNode): void {
    if (one.prefix !== other.prefix) {
      const what = `the context "${one.name}" has the prefix "${other.prefix}", not "${one.prefix}"`
      report(diagnostic('AOT_VERIFY_CONTEXT', one.at, what))
    }
    compareSchemas(one, other)
    compareRoutes(one, other)
    for (const pair of alignContexts(one.children, other.children)) {
      if (pair.scanned && pair.recorded) compareContexts(pair.scanned, pair.recorded)
      else if (pair.scanned) reportUnpaired(pair.scanned, true)
      else if (pair.recorded) reportUnpaired(pair.recorded, false)
    }
  }

  /** Reports a context that only one of them has. The source need not have contexts without routes to compare, as packages create them. */
  function reportUnpaired(context: ContextNode, isFound: boolean): void {
    if (isFound ? context.isConditional : !matters(context)) return
    const what = `context "${context.name}" with the prefix "${context.prefix}"`
    const problem = isFound ? `it has no ${what}` : `it has a ${what}, which was not found`
    report(diagnostic('AOT_VERIFY_CONTEXT', context.at, problem))
  }

  function matters({ routes, children }: ContextNode): boolean {
    return routes.some(isExpected) || children.some(matters)
  }

  function isExpected(route: RouteNode): boolean {
    return !ofPackages.has(route) || recordedBindings.has(route)
  }

  function compareSchemas(one: ContextNode, other: ContextNode): void {
    const here = groupBy(one.schemas, ({ id }) => id)
    const there = groupBy(other.schemas, ({ id }) => id)
    const unknown = new Set([...one.unknownSchemas, ...other.unknownSchemas].map(({ id }) => id))
    for (const [id, alternatives] of here) {
      const [added] = there.get(id) ?? []
      const first = alternatives[0] as SharedSchema
      const expected = withoutAnnotations(added?.schema.value)
      const isAdded = alternatives.some(({ schema }) =>
        isDeepStrictEqual(withoutAnnotations(schema.value), expected),
      )
      if (isAdded || unknown.has(id)) continue
      const difference =
        added === undefined
          ? 'the application does not add it here'
          : describeDifference(first.schema.value, added.schema.value)
      report(diagnostic('AOT_VERIFY_SCHEMA', first.at, id, one.name, difference))
    }
    for (const [id, [added]] of there) {
      if (here.has(id) || unknown.has(id) || unknown.has(undefined) || added === undefined) continue
      report(diagnostic('AOT_VERIFY_SCHEMA', added.at, id, one.name, 'it was not found'))
    }
  }

  function compareRoutes(one: ContextNode, other: ContextNode): void {
    const here = groupBy(one.routes, routeKey)
    const there = groupBy(other.routes, routeKey)
    for (const [key, routes] of there) {
      const alternatives = here.get(key)
      for (const route of routes) {
        if (alternatives !== undefined) compareRoute(key, alternatives, route)
        else if (isExpected(route)) {
          report(diagnostic('AOT_VERIFY_ROUTE', route.at, key, 'it was not found'))
        }
      }
    }
    for (const [key, [route]] of here) {
      if (there.has(key) || route === undefined || route.isConditional || one.isConditional)
        continue
      report(
        diagnostic('AOT_VERIFY_ROUTE', route.at, key, 'the application does not declare it here'),
      )
    }
  }

  /** One of the alternatives must match the declaration. */
  function compareRoute(
    key: string,
    alternatives: readonly RouteNode[],
    declared: RouteNode,
  ): void {
    const all = alternatives.flatMap((one) => [one, ...(scanned.app.variants.get(one) ?? [])])
    const [first = [], ...others] = all.map((route) => differencesOf(key, route, declared))
    if ([first, ...others].every((list) => list.length > 0)) first.forEach(report)
  }

  function differencesOf(
    key: string,
    route: RouteNode,
    declared: RouteNode,
  ): readonly Diagnostic[] {
    const [here, there] = [partsOf(scannedBindings, route), partsOf(recordedBindings, declared)]
    const unknown = new Set([...route.dynamic, ...declared.dynamic].map(({ part }) => part))
    return [...new Set([...here.keys(), ...there.keys()])].flatMap((part) => {
      const [one, other] = [here.get(part), there.get(part)]
      // A part is unknown with all of its media types.
      const isStatus = (one ?? other)?.httpPart === undefined
      const isUnknown =
        unknown.has('schema') ||
        unknown.has(part.replace(/ .*/, '')) ||
        (isStatus && unknown.has('response'))
      if (isUnknown || one?.digest === other?.digest) return []
      const problem = (difference: string): Diagnostic =>
        diagnostic('AOT_VERIFY_ROUTE', one?.at ?? route.at, key, `${part}: ${difference}`)
      if (one === undefined) return problem('its schema was not found')
      if (other === undefined) return problem('the application has no schema for it')
      return problem(describeDifference(schemaOf(one, scanned.app), schemaOf(other, recorded.app)))
    })
  }
}

type Bindings = ReadonlyMap<RouteNode, readonly Binding[]>

function bindingsByRoute({ bindings }: ResolvedApp): Bindings {
  return groupBy(bindings, ({ route }) => route)
}

function partsOf(bindings: Bindings, route: RouteNode): ReadonlyMap<string, Binding> {
  const routeBindings = bindings.get(route) ?? []
  return new Map(routeBindings.map((binding) => [partOfBinding(binding), binding]))
}

/** Name of a part with its media type, if it has one. */
export function partOfBinding({ httpPart, httpStatus, contentType }: Binding): string {
  return [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
}

/** The schemas that a validator or serializer depends on. */
function schemaOf({ digest }: Binding, { units }: ResolvedApp): unknown {
  const unit = units.get(digest)
  return { schema: unit?.schema, ...unit?.externals }
}

/** Describes the first difference between a value in the source and in the booted application. */
export function describeDifference(
  here: unknown,
  there: unknown,
  path: readonly string[] = [],
): string {
  if (isContainer(here) && isContainer(there) && Array.isArray(here) === Array.isArray(there)) {
    for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
      const [one, other] = [here[key], there[key]]
      if (!isDeepStrictEqual(one, other)) return describeDifference(one, other, [...path, key])
    }
    return 'its members are in another order'
  }
  const where = path.length === 0 ? 'it' : `\`${path.join('.')}\``
  return `${where} is ${show(there)}, not ${show(here)}`
}

/** Arrays included. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
