/**
 * Phase 1: the source, interpreted over abstract values. What is known is computed as JavaScript does it, an instance is a
 * value like any other, and every value remembers the expression that made it. Nothing of the application is imported.
 *
 * From low to high:
 * - `values/`: the values, the journal of what was written to them, and `Machine`, by which the parts know each other.
 *   An **unknown** value carries a reason and a place. It may flow anywhere; only where a URL, a plugin, an option or a
 *   schema needs it is it reported.
 *   A condition that depends on one is followed on **every arm from the same state**, and what was written becomes a
 *   `Choice`. Choices by one condition share a key: a schema that uses one flag twice has two alternatives, not four.
 *   Where arms end differently (one returns, say), what comes after is followed under the conditions of the arms that
 *   come to it (`completions.ts`). Routes are the superset of all arms.
 * - `slice/`: what only real code can compute, such as the call of a package, is a **deferred** value: a node of a
 *   program. When a result is needed, the calls that lead to it run outside, guarded and under a time limit. What depends
 *   on the clock or on chance is refused. All schemas of an application are computed in one batch.
 * - `builtins/`: what JavaScript and Node bring along. `interpreter/`: statements and expressions.
 * - `lazy-literals/`: object literals of plain data, whose members are created on first access.
 * - `modules/`: linking files: relative imports, `.js` for `.ts`, path mappings, package imports and exports, workspaces,
 *   CommonJS and ES modules.
 * - `instance/`: the applications that are made; plugins load in the order of the boot queue, so that decorators,
 *   `getSchema` and hooks give what they give at run time. `packages/`: the few packages that are known by name.
 *
 * Files are read through `source-files.ts` alone, which remembers every question and its answer for the next build.
 */
import { meaningOf } from '../lines/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import type {
  Diagnostic,
  Report,
  ResolvedOptions,
  ScannedContext,
  ScannedOperation,
  ScannedRoute,
  ScannedSchema,
  SchemaLiteral,
  SourceGraph,
} from '../model/index.ts'
import { findApplication } from './entry.ts'
import { findInstanceMakers } from './instance-files.ts'
import { createLiteralFinder, type LiteralFinder } from './literals.ts'
import { compilersInUse } from './instance/context.ts'
import type { ContextRecord, RouteRecord } from './values/contexts.ts'
import type { Arm } from './values/machine.ts'
import type { ScanMachine } from './machine.ts'
import type { ModuleRecord } from './modules/exports.ts'
import { primitive } from './values/index.ts'
import type { Value } from './values/index.ts'
import { OutOfBudget } from './values/thrown.ts'
import { createMachine } from './machine.ts'
import { readFactoryOptions, readSlashOptions } from './options.ts'
import { warnOfNoEffect } from './options-without-effect.ts'
import type { ParsedFiles } from './parse.ts'
import { Project } from './project.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { Slices } from './sandbox/dialogue.ts'
import { SliceRunner } from './sandbox/runner.ts'
import { toStatics } from './statics.ts'
import type { Demand } from './statics.ts'

/**
 * Follows the source from the entry and finds what the application declares, without running it.
 *
 * The source is interpreted over values of which as much is known as can be: instances are followed
 * wherever they are handed to, and what only real code can compute is collected and evaluated as
 * slices. `undefined` when no application is found; the report then says why.
 *
 * @param files remembers what the scan has read
 * @param slices its runner is closed at the end
 * @param trees of the scan before
 */
export async function scan(
  options: Pick<ResolvedOptions, 'entry' | 'root' | 'out'> & Partial<Pick<ResolvedOptions, 'line'>>,
  report: Report,
  files: SourceFiles = new SourceFiles(),
  slices: Slices = { runner: new SliceRunner(options.root), onSlow: () => undefined },
  trees?: ParsedFiles,
): Promise<SourceGraph | undefined> {
  const project = new Project(options.root, files, trees)
  const place = project.locateFile(options.entry)
  const source = files.exists(options.entry) ? project.parse(options.entry) : undefined
  if (source === undefined) {
    report(diagnostic('AOT_ENTRY_NOT_FOUND', place, place.file))
    return undefined
  }
  let broken = false
  let isFaulty = false
  const missing: Diagnostic[] = []
  const tell: Report = (problem) => {
    broken ||= reasons.has(problem.code)
    isFaulty ||= !problem.isWarning
    if (problem.code === 'AOT_IMPORT_NOT_FOUND') missing.push(problem)
    report(problem)
  }
  const line = meaningOf(options.line ?? 'framework')
  const m = createMachine(project, source, slices, tell, line)
  try {
    const entry = m.modules.load(options.entry)
    const failed: Diagnostic[] = []
    const application =
      entry === undefined ? undefined : findApplication(m, entry, (one) => failed.push(one))
    if (entry === undefined || application === undefined) {
      // A file that could not be read is reason enough.
      for (const { isWarning: _, ...problem } of missing) report(problem)
      if (!broken && missing.length === 0) {
        const makers = findInstanceMakers(m, options.entry)
        // What throws before it makes an instance may be any function of the module, where none is made.
        const [thrown] = makers.length > 0 ? failed : []
        report(thrown ?? diagnostic('AOT_ENTRY_WITHOUT_INSTANCE', place, place.file, makers))
      }
      return undefined
    }
    const { instance, start } = application
    if (line.name === 'framework') warnOfNoEffect(m, instance)
    const { root, literals } = toGraph(m, instance.context)
    const { packages, names } = m.modules.packages()
    const found: SourceGraph = {
      options: readFactoryOptions(m, instance),
      ...readSlashOptions(m, instance),
      root,
      packages,
      names,
      literals,
      plugins: instance.context.root.packagePlugins,
      start,
      exports: callableExports(m, entry),
      loadedByName: [...m.modules.loadedByName].sort(),
    }
    // What is wrong with anything else explains it, and plugins may declare some that cannot be seen.
    if (
      !isFaulty &&
      instance.context.operations.length === 0 &&
      !instance.context.root.hasPackagePlugins
    ) {
      const at = instance.at ? project.locate(instance.at) : place
      tell(warning('AOT_ENTRY_WITHOUT_ROUTES', at, place.file))
    }
    return found
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack')
    if (!isTooDeep && !(error instanceof OutOfBudget)) throw error
    const reason = isTooDeep ? 'the code is nested too deeply' : 'the code does not come to an end'
    report(diagnostic('AOT_MODULE_THROWS', project.locate(m.budget.last), reason))
    return undefined
  } finally {
    m.deferrals.close()
  }
}

/** Classes and objects by the names that they are exported with; also what may be one of these. */
function callableExports(m: ScanMachine, entry: ModuleRecord): readonly string[] {
  return m.modules
    .namedExportsOf(entry)
    .filter(([, { kind }]) => kind === 'class' || kind === 'object' || kind === 'unknown')
    .map(([name]) => name)
}

/** Problems that explain why no application is found. */
const reasons: ReadonlySet<string> = new Set([
  'AOT_FACTORY_THROWS',
  'AOT_MODULE_THROWS',
  'AOT_SYNTAX_ERROR',
])

/** Turns what was recorded into plain data; all slices of the application run together. */
function toGraph(m: ScanMachine, root: ContextRecord): Pick<SourceGraph, 'root' | 'literals'> {
  const uses: [find: keyof Omit<LiteralFinder, 'found'>, schema: Value][] = []
  const demands: Demand[] = []
  const indices = new Map<object, number>()
  const demand = (site: object, value: Value, arms: readonly Arm[]): void => {
    indices.set(site, demands.length)
    demands.push({ value, arms })
  }
  collect(root)
  const statics = toStatics(m, demands)
  const sites = new Map<object, number>()
  return { root: context(root), literals }

  function literals(): readonly SchemaLiteral[] {
    const finder = createLiteralFinder()
    for (const [find, schema] of uses) finder[find](schema)
    return finder.found()
  }

  function collect(record: ContextRecord): void {
    const { documentation } = record.root
    if (documentation?.context === record) demand(documentation, documentation.options, record.arms)
    for (const operation of record.operations) {
      if (operation.type === 'child') collect(operation.context)
      else if (operation.type === 'schema') {
        uses.push(['addShared', operation.schema])
        demand(operation, operation.schema, operation.arms)
      } else if (operation.type === 'route') {
        for (const one of [operation.route, ...operation.route.twins]) {
          const schema = schemaOf(m, one)
          uses.push(['addRoute', schema])
          demand(one, schema, one.arms)
        }
      }
    }
  }

  function scanned(site: object): readonly ScannedSchema[] {
    return statics[indices.get(site) ?? -1] ?? []
  }

  function context(record: ContextRecord): ScannedContext {
    const { documentation } = record.root
    return {
      name: record.name,
      prefix: record.prefix,
      isPrefixKnown: record.isPrefixKnown,
      at: m.project.locate(record.at),
      isConditional: isConditional(record),
      compilers: compilersInUse(record),
      hooks: record.hooks,
      plugins: record.plugins,
      documentation:
        documentation?.context === record
          ? { options: scanned(documentation), at: m.project.locate(documentation.at) }
          : undefined,
      operations: record.operations.map((operation): ScannedOperation => {
        switch (operation.type) {
          case 'child':
            return { type: 'child', context: context(operation.context) }
          case 'compiler':
            return operation
          case 'route':
            return { type: 'route', route: route(operation.route) }
          case 'schema': {
            const arms = operation.arms.map(({ site, arm }) => ({ site: siteNumber(site), arm }))
            const at = m.project.locate(operation.at)
            return { type: 'schema', schemas: scanned(operation), at, arms }
          }
        }
      }),
    }
  }

  /** What holds for the instance itself is no condition to what it declares. */
  function isConditional({ arms }: ContextRecord | RouteRecord): boolean {
    return arms.length > root.arms.length
  }

  function siteNumber(site: object): number {
    let known = sites.get(site)
    if (known === undefined) sites.set(site, (known = sites.size))
    return known
  }

  function route(record: RouteRecord): ScannedRoute {
    const option = (name: string): Value =>
      m.known(m.get(record.options, primitive(name, record.at), record.at))
    const own = (name: string): 'own' | undefined => {
      const value = option(name)
      return value.kind === 'primitive' ? (value.value ? 'own' : undefined) : 'own'
    }
    const head = option('exposeHeadRoute')
    const isHeadGiven = head.kind === 'primitive' && head.value !== undefined && head.value !== null
    return {
      methods: record.methods,
      path: record.path,
      prefixTrailingSlash: record.trailingSlash,
      schemas: scanned(record),
      validatorCompiler: own('validatorCompiler'),
      serializerCompiler: own('serializerCompiler'),
      exposeHeadRoute: isHeadGiven ? Boolean(head.value) : undefined,
      wantsTwin: record.wantsTwin,
      constraints: constraintsOf(option('constraints'), option('version')),
      at: m.project.locate(record.at),
      isConditional: isConditional(record),
      hooks: record.hooks,
      isDocumented: record.isDocumented,
      twins: record.twins.map(route),
    }
  }
}

/** The `schema` option as it is at the end. */
function schemaOf(m: ScanMachine, route: RouteRecord): Value {
  return m.get(route.options, primitive('schema', route.at), route.at)
}

/** Constraints that the router has strategies for, as far as they are texts. */
function constraintsOf(given: Value, version: Value): ScannedRoute['constraints'] {
  const found: Record<string, string> = {}
  if (given.kind === 'object' && given.exotic === undefined) {
    for (const [name, { value }] of given.members) {
      const isKnown = name === 'host' || name === 'version'
      if (!isKnown || value.kind !== 'primitive' || typeof value.value !== 'string')
        return undefined
      found[name] = value.value
    }
  } else if (given.kind !== 'primitive' || given.value) return undefined
  if (version.kind !== 'primitive') return undefined
  return version.value ? { ...found, version: String(version.value) } : found
}
