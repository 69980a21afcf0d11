/**
 * Phase 1 finds what an application declares by interpreting its source over abstract values. Known values are computed as
 * JavaScript does, instances are values like any other, and every value remembers its expression. Nothing of the application is
 * imported.
 *
 * From low to high:
 * - `values/`: the values, the journal of writes to them, and `Machine`, the interface between the parts.
 *   An **unknown** value carries a reason and a place. It is reported only if a URL, a plugin, an option or a schema needs it.
 *   A condition that depends on one is followed on **every branch from the same state**, and writes become a `Choice`, with an
 *   option for each outcome. Choices
 *   of one condition share a key: a schema that uses one flag twice has two alternatives, not four. If branches end differently,
 *   for example by `return`, the code after them is followed under the conditions of the branches that reach it
 *   (`interpreter/completions.ts`). Routes are the superset of all branches.
 * - `sandbox/`: a value that only real code can compute, such as the result of a package, is **deferred**: a node of a program.
 *   The calls that lead to it run in another process, guarded and with a time limit. Results that depend on the clock or on
 *   chance are refused. The schemas of an application are computed in one batch, except those that depend on conditions.
 * - `builtins/`: the globals of JavaScript and the modules of Node. `interpreter/`: statements and expressions.
 * - `modules/`: module resolution and linking of ES modules and CommonJS.
 * - `instance/`: Fastify's instances. Plugins load in the order of the boot queue, so that decorators, `getSchema` and hooks give
 *   the same as at run time. `known-packages/`: the few packages that the scan knows by name.
 *
 * The scan reads files only through `SourceFiles`, which records every read for the next build.
 */
import { profileOf } from '../servers/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import type {
  Diagnostic,
  OnDiagnostic,
  ResolvedOptions,
  ScannedContext,
  ScannedInstance,
  SourceGraph,
} from '../model/index.ts'
import { withoutAlternatives, type Candidate } from './alternatives.ts'
import { readFactoryOptions, reportOtherLines, warnOfNoEffect } from './factory-options.ts'
import { findApplication } from './find-application.ts'
import { findFactoryImports } from './factory-imports.ts'
import { hasSchemas, toGraph } from './graph.ts'
import { createMachine } from './machine.ts'
import type { ParsedFiles } from '../util/source/parse.ts'
import { Project } from '../util/source/project.ts'
import type { Sandbox } from './evaluation/client.ts'
import { SandboxProcess } from '../sandbox/sandbox-process.ts'
import type { ModuleRecord } from './modules/exports.ts'
import type { Value } from './values/index.ts'
import { OutOfBudget } from './values/thrown.ts'
import { SourceFiles } from '../util/source-files.ts'

/** Problems that explain why no application is found. */
const reasons: ReadonlySet<string> = new Set([
  'AOT_FACTORY_THROWS',
  'AOT_MODULE_THROWS',
  'AOT_SYNTAX_ERROR',
])

/** Names that a program mentions if it serves its application, or tests it. */
const namesOfUses = ['inject', 'listen', 'ready', 'routing', 'server', 'toFetch']

export interface ScanSetup {
  readonly files?: SourceFiles
  /** Closed at the end. */
  readonly sandbox?: Sandbox
  /** Keeps parsed files for the next scan. */
  readonly trees?: ParsedFiles | undefined
  /** Finds the literals that schemas consist of. */
  readonly findsLiterals?: boolean
}

/** Returns what the application declares; `undefined` if the entry leads to none, with the reason in the report. */
export async function scan(
  options: Pick<ResolvedOptions, 'entry' | 'root' | 'out'> & Partial<Pick<ResolvedOptions, 'line'>>,
  report: OnDiagnostic,
  {
    files = new SourceFiles(),
    sandbox = { process: new SandboxProcess(options.root), onSlow: () => undefined },
    trees,
    findsLiterals = false,
  }: ScanSetup = {},
): Promise<SourceGraph | undefined> {
  const project = new Project(options.root, files, trees)
  const place = project.locateFile(options.entry)
  const source = files.exists(options.entry) ? project.parse(options.entry) : undefined
  if (source === undefined) {
    report(diagnostic('AOT_ENTRY_NOT_FOUND', place, place.file))
    return undefined
  }
  const problems: Diagnostic[] = []
  const reportAndKeep: OnDiagnostic = (problem) => {
    problems.push(problem)
    report(problem)
  }
  const target = profileOf(options.line ?? 'framework')
  const m = createMachine(project, source, sandbox, reportAndKeep, target)
  try {
    const entry = m.modules.load(options.entry)
    const failed: Diagnostic[] = []
    const application = entry && findApplication(m, entry, (one) => failed.push(one))
    if (entry === undefined || application === undefined) {
      reportNoApplication()
      return undefined
    }
    const { instance, start, handlers, others } = application
    const { context } = instance
    const instances = [instance, ...others.filter((one) => hasSchemas(m, one.context))]
    const contexts = instances.map((one) => one.context)
    const { roots, ...found } = toGraph(m, contexts, findsLiterals)
    reportOtherLines(m, instances)
    const candidates = instances.map((one, i): Candidate => {
      if (target.name === 'framework') warnOfNoEffect(m, one)
      const root = roots[i] as ScannedContext
      return { record: one.context, scanned: { options: readFactoryOptions(m, one), root } }
    })
    const [main, ...rest] = withoutAlternatives(candidates).map(({ scanned }) => scanned)
    const packages = m.modules.packages()
    const isStarted =
      start.kind !== 'itself' ||
      m.handedOver.length > 0 ||
      namesOfUses.some((name) => packages.names.has(name)) ||
      m.modules.namedExportsOf(entry).length > 0
    const graph: SourceGraph = {
      ...(main as ScannedInstance),
      others: rest,
      ...found,
      ...packages,
      plugins: instances.flatMap((one) => one.context.root.packagePlugins),
      start,
      unstartedAt: isStarted ? undefined : place,
      exports: exported('class', 'object', 'unknown'),
      functions: exported('function', 'unknown'),
      handlers,
      loadedByName: [...m.modules.loadedByName].sort(),
    }
    // Other problems explain an empty application, and plugins of packages may declare routes.
    const isFaulty = problems.some(({ isWarning }) => !isWarning)
    if (!isFaulty && context.operations.length === 0 && !context.root.hasPackagePlugins) {
      const at = instance.at ? project.locate(instance.at) : place
      reportAndKeep(warning('AOT_ENTRY_WITHOUT_ROUTES', at, place.file))
    }
    return graph

    function exported(...kinds: readonly Value['kind'][]): readonly string[] {
      const all = m.modules.namedExportsOf(entry as ModuleRecord)
      return all.filter(([, { kind }]) => kinds.includes(kind)).map(([name]) => name)
    }

    function reportNoApplication(): void {
      const missing = problems.filter(({ code }) => code === 'AOT_IMPORT_NOT_FOUND')
      // With an application, missing imports are only warnings.
      for (const { isWarning: _, ...problem } of missing) report(problem)
      if (missing.length > 0 || problems.some(({ code }) => reasons.has(code))) return
      const imports = findFactoryImports(m, options.entry)
      // Functions that throw before they create an instance matter only if some file may create one.
      const [thrown] = imports.length > 0 ? failed : []
      report(thrown ?? diagnostic('AOT_ENTRY_WITHOUT_INSTANCE', place, place.file, imports))
    }
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack')
    if (!isTooDeep && !(error instanceof OutOfBudget)) throw error
    const reason = isTooDeep
      ? 'the code is nested too deeply'
      : 'it does not end, or it has more branches than the build can follow'
    report(diagnostic('AOT_MODULE_THROWS', project.locate(m.budget.last), reason))
    return undefined
  } finally {
    m.deferrals.close()
  }
}
