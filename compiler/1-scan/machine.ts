/** Assembles the interpreter of the scan. */
import type { TargetProfile } from '../servers/index.ts'
import { diagnostic, warning, type DiagnosticCode } from '../report/errors.ts'
import type { Diagnostic, OnDiagnostic, SourceLocation } from '../model/index.ts'
import { createGlobals } from './builtins/globals.ts'
import { iterate } from './builtins/lists/iteration.ts'
import { Jobs } from './builtins/jobs.ts'
import { Boot } from './instance/boot.ts'
import { externalCalls } from './instance/external-calls.ts'
import { evaluate } from './interpreter/expressions.ts'
import { fork } from './interpreter/completions.ts'
import { call, closure, construct } from './interpreter/functions.ts'
import { Generators } from './values/generators.ts'
import { Journal } from './values/journal.ts'
import type { Machine } from './values/machine.ts'
import { concat } from './interpreter/operators.ts'
import { describeThrown, OutOfBudget } from './values/thrown.ts'
import { getProperty, removeProperty, setProperty } from './interpreter/properties.ts'
import { execute, executeStatement } from './interpreter/statements.ts'
import { typeOf, type Unknown } from './values/index.ts'
import { Modules } from './modules/index.ts'
import { knownPackages } from './known-packages/index.ts'
import type { Node, Project } from '../util/source/project.ts'
import { Deferrals } from './evaluation/deferrals.ts'
import type { Sandbox } from './evaluation/client.ts'

export interface ScanMachine extends Machine {
  readonly boot: Boot
  readonly deferrals: Deferrals
  readonly modules: Modules
}

/** A scan that evaluates more expressions is stopped: the code may never end. */
const maxExpressions = 5_000_000

/** @param entryFile the place of values that are nowhere in the source */
export function createMachine(
  project: Project,
  entryFile: Node,
  sandbox: Sandbox,
  report: OnDiagnostic,
  target: TargetProfile,
): ScanMachine {
  let spent = 0
  let last = entryFile
  const generators = new Generators(() => m.journal)
  const first: Omit<ScanMachine, 'boot' | 'deferrals' | 'external' | 'jobs' | 'modules'> = {
    target,
    project,
    entryFile,
    generators,
    journal: new Journal((slot, isByApplication) => {
      if (isByApplication) generators.beforeWrite(slot.key)
      if (slot.isVariable !== true) m.deferrals.history.record(slot, isByApplication)
    }),
    loose: undefined,
    branches: [],
    thrown: [],
    rejections: [],
    tries: { all: 0, inFunction: 0, captures: 0 },
    declarations: [],
    mainModule: { count: 2 },
    listens: [],
    handedOver: [],
    decorators: new Map(),
    derived: new Map(),
    budget: {
      get last() {
        return last
      },
      calls: [],
      nesting: 0,
      spend: (at) => {
        last = at
        if (++spent > maxExpressions) throw new OutOfBudget(at)
      },
    },
    evaluate: (node, scope) => evaluate(m, node, scope),
    execute: (statements, scope) => execute(m, statements, scope),
    executeOne: (statement, scope) => executeStatement(m, statement, scope),
    call: (callee, thisValue, args, at) => call(m, callee, thisValue, args, at),
    construct: (callee, args, at) => construct(m, callee, args, at),
    get: (owner, key, at, receiver) => getProperty(m, owner, key, at, receiver),
    set: (owner, key, value, at) => setProperty(m, owner, key, value, at),
    remove: (owner, key, at) => removeProperty(m, owner, key, at),
    known: (value) => (value.kind === 'deferred' ? m.deferrals.known(value) : value),
    typeOf: (value) => (value.kind === 'deferred' ? m.deferrals.typeOf(value) : typeOf(value)),
    concat: (texts, values, at) => concat(m, texts, values, at),
    iterate: (value, at) => iterate(m, value, at),
    closure: (node, scope, home) => closure(node, scope, home),
    fork: (branches, at, key) => fork(m, branches, at, key),
    report: (code, at, ...args) => report((diagnostic as AnyDiagnostic)(code, at, ...args)),
    reportUnknown(code, call, value, ...args) {
      const { reported = false, missing }: Partial<Unknown> = value.kind === 'unknown' ? value : {}
      if (reported) return
      const at = project.locateFor(call, missing?.at ?? value.at)
      if (missing === undefined) m.report(code, at, ...args)
      else m.report('AOT_IMPORT_NOT_FOUND', at, missing.specifier)
    },
    reportThrown(error, source = error.at ?? entryFile) {
      const at = project.locate(error.at ?? source)
      const { file } = project.locate(source)
      // The error may come from a function of another file.
      const elsewhere = at.file === file ? [] : [`"${file}"`]
      m.report('AOT_MODULE_THROWS', at, describeThrown(error.value), ...elsewhere)
    },
    warn: (code, at, ...args) => report((warning as AnyDiagnostic)(code, at, ...args)),
  }
  const m = first as ScanMachine
  // These parts need the machine and the parts before them.
  Object.assign(m, { boot: new Boot(m), jobs: new Jobs(m), external: externalCalls(m) })
  Object.assign(m, { deferrals: new Deferrals(m, sandbox) })
  return Object.assign(m, { modules: new Modules(m, knownPackages(m), createGlobals(m)) })
}

type AnyDiagnostic = (
  code: DiagnosticCode,
  at: SourceLocation,
  ...args: readonly string[]
) => Diagnostic
