/** Turns what the scan recorded of an application into plain data for the next phase. */
import { isDeepStrictEqual } from 'node:util'
import type {
  Branches,
  ScannedContext,
  ScannedOperation,
  ScannedRoute,
  ScannedSchema,
  SeenHook,
  SourceGraph,
} from '../model/index.ts'
import { compilersInUse } from './instance/context.ts'
import { describeHook, namesOfHooks } from './instance/hooks.ts'
import { evaluateAll, type EvaluationRequest } from './known-values.ts'
import type { ScanMachine } from './machine.ts'
import { findSchemaLiterals } from './schema-literals.ts'
import { findTypeLiterals } from './type-literals.ts'
import type { ContextRecord, HookRecord, RouteRecord } from './values/contexts.ts'
import type { Branch } from './values/machine.ts'
import { refine } from './values/conditions.ts'
import { isGiven, object, primitive, type ObjectValue, type Value } from './values/index.ts'
import { requestHooks } from '../model/request-hooks.ts'

/** A value that the next phase needs as plain data. */
interface Use extends EvaluationRequest {
  /** The record of the declaration that it belongs to. */
  readonly owner: object
  readonly kind: 'documentation' | 'options' | 'route' | 'shared'
}

/** @param roots the contexts of instances */
export function toGraph(
  m: ScanMachine,
  roots: readonly ContextRecord[],
  findsLiterals: boolean,
): Pick<SourceGraph, 'hookNames' | 'literals' | 'typeLiterals'> & {
  readonly roots: readonly ScannedContext[]
} {
  const uses = roots.flatMap((root) => [...usesIn(m, root)])
  // One batch: the sandbox runs once for all schemas.
  const results = evaluateAll(m, uses)
  const schemas = new Map(uses.map(({ owner }, index) => [owner, results[index] ?? []]))
  /** The numbers of conditions, in the order in which `numbered` sees them. */
  const conditions = new Map<object, number>()
  const exports = m.modules.exportsByFunction()
  const describe = (hook: HookRecord): SeenHook => describeHook(m, hook, exports)
  const valuesOf = (kind: Use['kind']): Value[] =>
    uses.filter((use) => use.kind === kind).map(({ value }) => value)
  return {
    roots: roots.map((root) => toContext(root, new Set(root.branches.map((one) => one.condition)))),
    hookNames: namesOfHooks(m, exports),
    literals: findsLiterals
      ? findSchemaLiterals(m, valuesOf('route'), valuesOf('shared'))
      : undefined,
    typeLiterals:
      findsLiterals && !roots.some((one) => one.root.hasOwnCompilers)
        ? findTypeLiterals(
            m,
            uses.filter(isForPackages).map(({ value }) => value),
          )
        : undefined,
  }

  function schemasOf(owner: object, outer: Conditions): readonly ScannedSchema[] {
    const all = schemas.get(owner) ?? []
    return all.map((one) => ({ ...one, branches: numbered(within(one.branches, outer)) }))
  }

  /** @param outer the conditions under which the instance is created, which don't make its declarations conditional */
  function toContext(record: ContextRecord, outer: Conditions): ScannedContext {
    const { name, prefix, isPrefixKnown, hooks, plugins } = record
    const { documentation } = record.root
    return {
      name,
      prefix,
      isPrefixKnown,
      at: m.project.locate(record.at),
      isConditional: within(record.branches, outer).length > 0,
      compilers: compilersInUse(record),
      hooks: hooks.map(describe),
      plugins,
      documentation:
        documentation?.context === record
          ? {
              options: schemasOf(documentation, outer),
              at: m.project.locate(documentation.at),
            }
          : undefined,
      operations: record.operations.map((one) => toOperation(one, outer)),
    }
  }

  function toOperation(
    operation: ContextRecord['operations'][number],
    outer: Conditions,
  ): ScannedOperation {
    switch (operation.type) {
      case 'child':
        return { type: 'child', context: toContext(operation.context, outer) }
      case 'compiler':
        return operation
      case 'route':
        return { type: 'route', route: toRoute(operation.route, outer) }
      case 'schema': {
        const at = m.project.locate(operation.at)
        return {
          type: 'schema',
          schemas: schemasOf(operation, outer),
          at,
        }
      }
    }
  }

  function numbered(branches: readonly Branch[]): Branches {
    return branches.map(({ condition, index }) => {
      const number = conditions.get(condition) ?? conditions.size
      conditions.set(condition, number)
      return { condition: number, index }
    })
  }

  function toRoute(record: RouteRecord, outer: Conditions): ScannedRoute {
    const { methods, path, trailingSlash, wantsTwin, hooks, isDocumented, twins } = record
    // Read the options under the conditions under which the route is declared.
    m.branches.splice(0, Infinity, ...record.branches)
    const option = (name: string): Value =>
      refine(m, m.known(m.get(record.options, primitive(name, record.at), record.at)))
    // A falsy value leaves the compiler of the context in place.
    const isCompiler = (value: Value): boolean =>
      value.kind === 'choice'
        ? value.options.every(isCompiler)
        : value.kind !== 'primitive' || Boolean(value.value)
    const compilerIn = (name: string): 'own' | undefined =>
      isCompiler(option(name)) ? 'own' : undefined
    const head = option('exposeHeadRoute')
    const isHeadGiven = head.kind === 'primitive' && isGiven(head)
    return {
      methods,
      path,
      prefixTrailingSlash: trailingSlash,
      schemas: schemasOf(record, outer),
      validatorCompiler: compilerIn('validatorCompiler'),
      serializerCompiler: compilerIn('serializerCompiler'),
      exposeHeadRoute: isHeadGiven ? Boolean(head.value) : undefined,
      wantsTwin,
      constraints: constraintsOf(option('constraints'), option('version')),
      at: m.project.locate(record.at),
      branches: numbered(within(record.branches, outer)),
      hooks: hooks.map(describe),
      options: optionsIn(schemas.get(record.options) ?? []),
      isDocumented,
      twins: twins.map((twin) => toRoute(twin, outer)),
    }
  }
}

type Conditions = ReadonlySet<Branch['condition']>

/** Returns the conditions of a declaration besides those of its instance, which may stand anywhere among them. */
function within(branches: readonly Branch[], outer: Conditions): readonly Branch[] {
  return branches.filter(({ condition }) => !outer.has(condition))
}

/** Returns whether a use is the schema of a route without compilers of its own. */
function isForPackages({ kind, owner }: Use): boolean {
  if (kind !== 'route') return false
  const { options } = owner as RouteRecord
  const names = ['validatorCompiler', 'serializerCompiler']
  return options.kind === 'object' && !names.some((name) => options.members.has(name))
}

export function hasSchemas(m: ScanMachine, record: ContextRecord): boolean {
  return [...usesIn(m, record)].some(({ kind, value }) => kind === 'route' && isGiven(value))
}

function* usesIn(m: ScanMachine, record: ContextRecord): Iterable<Use> {
  const { documentation } = record.root
  if (documentation?.context === record) {
    const value = documentation.options
    yield { owner: documentation, kind: 'documentation', value, branches: record.branches }
  }
  for (const operation of record.operations) {
    if (operation.type === 'child') yield* usesIn(m, operation.context)
    else if (operation.type === 'schema') {
      const { schema: value, branches } = operation
      yield { owner: operation, kind: 'shared', value, branches }
    } else if (operation.type === 'route') {
      for (const route of [operation.route, ...operation.route.twins]) {
        // Read after the whole scan, because `onRoute` hooks may have replaced it.
        const value = m.get(route.options, primitive('schema', route.at), route.at)
        yield { owner: route, kind: 'route', value, branches: route.branches }
        const options = otherOptions(route)
        if (options.members.size > 0)
          yield { owner: route.options, kind: 'options', value: options, branches: route.branches }
      }
    }
  }
}

/** Options that are known elsewhere, or that aren't data. */
const notListed: ReadonlySet<string | symbol> = new Set(
  [
    'method url path routePath prefix schema handler constraints version exposeHeadRoute prefixTrailingSlash',
    'validatorCompiler serializerCompiler errorHandler schemaErrorFormatter onRegister',
    ...requestHooks,
  ].flatMap((line) => line.split(' ')),
)

function otherOptions({ options, at }: RouteRecord): ObjectValue {
  const others = object(at)
  if (options.kind !== 'object') return others
  if (options.base !== undefined) others.members.set('*', { value: options.base, at })
  for (const [name, member] of options.members)
    if (!notListed.has(name)) others.members.set(name, member)
  return others
}

/** Returns the known plain data, and the names of unknown options. The name `*` means that other options may exist. */
function optionsIn(
  alternatives: readonly Pick<ScannedSchema, 'value' | 'holes'>[],
): ScannedRoute['options'] {
  const [first, ...others] = alternatives.map(({ value }) => value.value as Record<string, unknown>)
  if (first === undefined) return undefined
  const names = [first, ...others].flatMap((one) => Object.keys(one))
  const varying = names.filter((name) =>
    others.some((other) => !isDeepStrictEqual(other[name], first[name])),
  )
  const holes = alternatives.flatMap((one) => one.holes.map(({ path }) => String(path[0] ?? '*')))
  const unknown = new Set([...varying, ...holes, ...('*' in first ? ['*'] : [])])
  const known = Object.entries(first).filter(([name]) => !unknown.has(name))
  return { value: Object.fromEntries(known), unknown: [...unknown] }
}

/** Returns the constraints if all are of find-my-way's built-in strategies, `host` and `version`, and known. The route option `version` is one too. */
function constraintsOf(constraints: Value, version: Value): ScannedRoute['constraints'] {
  const strings: Record<string, string> = {}
  if (constraints.kind === 'object') {
    if (constraints.base !== undefined || constraints.computeMember !== undefined) return undefined
    for (const [name, { value }] of constraints.members) {
      const isBuiltin = name === 'host' || name === 'version'
      if (!isBuiltin || value.kind !== 'primitive' || typeof value.value !== 'string')
        return undefined
      strings[name] = value.value
    }
  } else if (constraints.kind !== 'primitive' || constraints.value) return undefined
  if (version.kind !== 'primitive') return undefined
  return version.value ? { ...strings, version: String(version.value) } : strings
}
