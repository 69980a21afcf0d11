/** Records and describes hooks: name, source location and condition. They aren't run. */
import { requestHooks } from '../../model/request-hooks.ts'
import type { SeenHook } from '../../model/index.ts'
import type { Machine } from '../values/machine.ts'
import type { ExportedName } from '../values/interfaces.ts'
import { isCallable, primitive, unknown, type Value } from '../values/index.ts'
import type { ContextRecord, HookRecord } from '../values/contexts.ts'
import { displayPath, packageNameIn, packageNameOf } from '../../util/paths.ts'
import { importOf } from '../evaluation/operations.ts'
import { ts, type Node } from '../../util/source/project.ts'
import { childrenOf } from './context.ts'
import { isDocumenting } from './known-plugins.ts'

/** Records a hook that `addHook` gets. */
export function recordHook(m: Machine, hook: string, value: Value, at: Node): HookRecord {
  return { hook, value, at, plugin: undefined, isOfRoute: false, isConditional: isConditional(m) }
}

/** Records that code which the scan doesn't follow may add hooks to a context. */
export function noteUnknownHooks(m: Machine, context: ContextRecord, why: string, at: Node): void {
  const any = recordHook(m, '*', unknown(why, at), at)
  for (const one of withDescendants(context)) one.hooks.push(any)
}

export function withDescendants(context: ContextRecord): ContextRecord[] {
  return [context, ...[...childrenOf(context)].flatMap(withDescendants)]
}

function isConditional({ branches, loose }: Machine): boolean {
  return branches.length > 0 || loose !== undefined
}

export function routeHooks(m: Machine, options: Value, at: Node): HookRecord[] {
  return requestHooks.flatMap((hook) => {
    // A hook from a package stays unevaluated: its name isn't worth running the package.
    const value = m.get(options, primitive(hook, at), at)
    if (value.kind === 'primitive') return []
    const all =
      value.kind === 'array'
        ? [...value.elements, ...(value.uncertainty ? [value.uncertainty] : [])]
        : [value]
    return all.map((one) => ({ ...recordHook(m, hook, one, one.at ?? at), isOfRoute: true }))
  })
}

/** @param exports the result of `exportsByFunction` */
export function describeHook(
  m: Machine,
  { value, at, isOfRoute, ...hook }: HookRecord,
  exports: ReadonlyMap<Value, readonly ExportedName[]>,
): SeenHook {
  const isNamed = value.kind === 'function' || value.kind === 'native'
  const [name, ...aliases] = namesOf(m, value, exports)
  return {
    ...hook,
    name: isNamed ? value.name : '',
    function: name,
    aliases: aliases.length > 0 ? aliases : undefined,
    decorator: m.decorators.get(value),
    package: packageOf(value, at),
    unknown: whyUnknown(value, isOfRoute),
    isConditional: hook.isConditional || value.kind === 'choice',
    at: m.project.locate(placeOf(at)),
  }
}

/** Returns the names that a function has for readers of the source, those of its own file first. */
function namesOf(
  m: Machine,
  value: Value,
  exports: ReadonlyMap<Value, readonly ExportedName[]>,
): readonly string[] {
  if (value.kind !== 'function') return []
  const exported = exports.get(value)
  if (exported !== undefined) return exported.map((one) => textOf(m, one))
  const { from, isReturned } = m.derived.get(value) ?? {}
  if (from !== undefined) {
    const names = namesOf(m, from, exports)
    return isReturned ? names.map((name) => `${name}()`) : names
  }
  const file = value.node.getSourceFile().fileName
  const isTaken = [...exports.values()]
    .flat()
    .some((one) => one.file === file && one.name === value.name)
  return value.name === '' || isTaken ? [] : [textOf(m, { file, name: value.name })]
}

function textOf(m: Machine, { file, name }: ExportedName): string {
  return `${displayPath(file, m.project.root)}#${name}`
}

/** Returns the names that hooks of the application may have. */
export function namesOfHooks(
  m: Machine,
  exports: ReadonlyMap<Value, readonly ExportedName[]>,
): readonly string[] {
  const own = [...exports.values()].flat().filter(({ file }) => packageNameOf(file) === undefined)
  const decorators = [...m.decorators].filter(([value]) => isCallable(value))
  return [...own.map((one) => textOf(m, one)), ...decorators.map(([, name]) => `app.${name}`)]
}

function packageOf(value: Value, at: Node): string | undefined {
  const file = at.getSourceFile().fileName
  const ofCode =
    packageNameOf(file) ??
    (value.kind === 'function' ? packageNameOf(value.node.getSourceFile().fileName) : undefined)
  if (ofCode !== undefined || value.kind !== 'deferred') return ofCode
  return packageNameIn(importOf(value)?.specifier ?? '') || undefined
}

function whyUnknown(value: Value, isOfRoute: boolean): string | undefined {
  if (isCallable(value)) return undefined
  if (value.kind === 'unknown') return value.why
  if (value.kind === 'choice') return 'it depends on a condition'
  if (value.kind !== 'deferred') return 'it is not a function'
  // `addHook` refuses everything else.
  return isOfRoute ? 'it is the value of a package' : undefined
}

/** Returns whether the routes that a context declares next are in the API documentation. */
export function isDocumented({ plugins }: ContextRecord): boolean {
  return plugins.some(({ name }) => isDocumenting(name))
}

/** Returns the name of a method in a chain of calls that has several lines: the chain begins elsewhere. */
function placeOf(call: Node): Node {
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return call
  const { name } = call.expression
  const source = call.getSourceFile()
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  return lineOf(name.getStart()) === lineOf(call.getStart()) ? call : name
}
