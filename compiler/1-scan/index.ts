/**
 * Phase 1: the source, interpreted over abstract values. What is known is computed as JavaScript does it, an instance is a
 * value like any other, and every value remembers the expression that made it. Nothing of the application is imported.
 *
 * From low to high:
 * - `values/`: the values, the journal of what was written to them, and `Machine`, by which the parts know each other.
 *   An **unknown** value carries a reason and a place. It may flow anywhere; only where a URL, a plugin, an option or a
 *   schema needs it is it reported.
 *   A condition that depends on one is followed on **every branch from the same state**, and what was written becomes a
 *   `Choice`. Choices by one condition share a key: a schema that uses one flag twice has two alternatives, not four.
 *   Where branches end differently (one returns, say), what comes after is followed under the conditions of the branches that
 *   come to it (`completions.ts`). Routes are the superset of all branches.
 * - `sandbox/`: what only real code can compute, such as the call of a package, is a **deferred** value: a node of a
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
import { profileOf } from '../target-profiles/index.ts'
import { diagnostic, warning } from '../report/errors.ts'
import type { Diagnostic, Report, ResolvedOptions, SourceGraph } from '../model/index.ts'
import { readFactoryOptions, readSlashOptions } from './factory-options.ts'
import { findApplication } from './find-application.ts'
import { findFactoryCalls } from './factory-calls.ts'
import { toGraph } from './graph.ts'
import { createMachine } from './machine.ts'
import { warnOfNoEffect } from './options-without-effect.ts'
import type { ParsedFiles } from './parse.ts'
import { Project } from './project.ts'
import type { Sandbox } from './sandbox/client.ts'
import { SandboxProcess } from './sandbox/sandbox-process.ts'
import { OutOfBudget } from './values/thrown.ts'
import { SourceFiles } from '../util/source-files.ts'

/** Problems that explain why no application is found. */
const reasons: ReadonlySet<string> = new Set([
  'AOT_FACTORY_THROWS',
  'AOT_MODULE_THROWS',
  'AOT_SYNTAX_ERROR',
])

/**
 * Follows the source from the entry and returns what the application declares; `undefined` if there is no application, with
 * the reason in the report.
 *
 * @param files records what the scan reads
 * @param sandbox is closed at the end
 * @param trees keeps parsed files for the next scan
 */
export async function scan(
  options: Pick<ResolvedOptions, 'entry' | 'root' | 'out'> & Partial<Pick<ResolvedOptions, 'line'>>,
  report: Report,
  files: SourceFiles = new SourceFiles(),
  sandbox: Sandbox = { process: new SandboxProcess(options.root), onSlow: () => undefined },
  trees?: ParsedFiles,
): Promise<SourceGraph | undefined> {
  const project = new Project(options.root, files, trees)
  const place = project.locateFile(options.entry)
  const source = files.exists(options.entry) ? project.parse(options.entry) : undefined
  if (source === undefined) {
    report(diagnostic('AOT_ENTRY_NOT_FOUND', place, place.file))
    return undefined
  }
  const problems: Diagnostic[] = []
  const tell: Report = (problem) => {
    problems.push(problem)
    report(problem)
  }
  const target = profileOf(options.line ?? 'framework')
  const m = createMachine(project, source, sandbox, tell, target)
  try {
    const entry = m.modules.load(options.entry)
    const failed: Diagnostic[] = []
    const application = entry && findApplication(m, entry, (one) => failed.push(one))
    if (entry === undefined || application === undefined) {
      reportNoApplication()
      return undefined
    }
    const { instance, start } = application
    const { context } = instance
    if (target.name === 'framework') warnOfNoEffect(m, instance)
    const graph: SourceGraph = {
      ...toGraph(m, context),
      options: readFactoryOptions(m, instance),
      ...readSlashOptions(m, instance),
      ...m.modules.packages(),
      plugins: context.root.packagePlugins,
      start,
      exports: m.modules
        .namedExportsOf(entry)
        .filter(([, { kind }]) => kind === 'class' || kind === 'object' || kind === 'unknown')
        .map(([name]) => name),
      loadedByName: [...m.modules.loadedByName].sort(),
    }
    // Other problems explain an empty application, and plugins of packages may declare routes.
    const isFaulty = problems.some(({ isWarning }) => !isWarning)
    if (!isFaulty && context.operations.length === 0 && !context.root.hasPackagePlugins) {
      const at = instance.at ? project.locate(instance.at) : place
      tell(warning('AOT_ENTRY_WITHOUT_ROUTES', at, place.file))
    }
    return graph

    function reportNoApplication(): void {
      const missing = problems.filter(({ code }) => code === 'AOT_IMPORT_NOT_FOUND')
      for (const { isWarning: _, ...problem } of missing) report(problem)
      if (missing.length > 0 || problems.some(({ code }) => reasons.has(code))) return
      const calls = findFactoryCalls(m, options.entry)
      // Functions that throw before they create an instance matter only if some file creates one.
      const [thrown] = calls.length > 0 ? failed : []
      report(thrown ?? diagnostic('AOT_ENTRY_WITHOUT_INSTANCE', place, place.file, calls))
    }
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
