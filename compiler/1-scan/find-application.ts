import type { ScanMachine } from './machine.ts'
import { describeThrown, Thrown } from './values/thrown.ts'
import { isCallable, object, optionsOf, undefinedValue, unknown } from './values/index.ts'
import type { ClassValue, FunctionValue, InstanceValue, Unknown, Value } from './values/index.ts'
import { skipsOverride } from './instance/plugin.ts'
import type { ApplicationStart, Report } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import type { ModuleRecord } from './modules/exports.ts'
import { ts } from './project.ts'

/** An application, and how the entry comes to it. */
export interface Application {
  readonly instance: InstanceValue
  readonly start: ApplicationStart
}

/**
 * The application behind an entry module: an instance that the module creates when it is loaded, or
 * else what an exported factory function returns, or else an exported plugin on a bare instance.
 *
 * @param onFailure told of functions that throw before they make an instance: whether they are to make one is not known
 */
export function findApplication(
  m: ScanMachine,
  entry: ModuleRecord,
  onFailure: Report,
): Application | undefined {
  const loaded = [...m.boot.roots]
  if (loaded.some((root) => isOf(entry, root)) || exportsInstance(m, entry)) {
    const found = created(m, entry)
    const filler =
      found !== undefined && isEmpty(found) ? fill(m, entry, found, onFailure) : undefined
    return found && { instance: found, start: startOfLoaded(m, entry, filler) }
  }
  const candidates = exportedFunctions(m, entry)
  for (const candidate of candidates) {
    const start = startBy(m, entry, 'factory', candidate)
    const found = callFactory(m, candidate, onFailure)
    // An instance that another module creates may be beside the point: one for metrics, say.
    const instance = found && largest([found, ...loaded])
    if (instance !== undefined) return { instance, start }
  }
  if (loaded.length > 0) {
    const instance = created(m, entry)
    return instance && { instance, start: { kind: 'itself' } }
  }
  for (const candidate of m.modules.exportsOf(entry)) {
    const instance =
      candidate.kind === 'class' ? constructApplication(m, candidate, onFailure) : undefined
    if (instance !== undefined) return { instance, start: startBy(m, entry, 'class', candidate) }
  }
  const plugin = candidates.find((candidate) => looksLikePlugin(m, candidate))
  if (plugin === undefined) return undefined
  const at = plugin.at ?? m.entryFile
  const instance = m.boot.createRoot(object(at), at)
  m.boot.register(instance, plugin, undefinedValue, at)
  m.boot.finish()
  return { instance, start: startBy(m, entry, 'plugin', plugin) }
}

/** How an instance that is made when the entry is loaded gets to serve. */
function startOfLoaded(
  m: ScanMachine,
  entry: ModuleRecord,
  filler: FunctionValue | undefined,
): ApplicationStart {
  if (filler !== undefined) return startBy(m, entry, 'factory', filler)
  const instance = m.modules.exportsOf(entry).find((value) => value.kind === 'instance')
  return instance ? startBy(m, entry, 'instance', instance) : { kind: 'itself' }
}

/** By what the entry exports, unless it has told an instance to listen by now. */
function startBy(
  m: ScanMachine,
  entry: ModuleRecord,
  kind: Exclude<ApplicationStart['kind'], 'itself'>,
  exported: Value,
): ApplicationStart {
  const path = m.listens.length > 0 ? undefined : pathOf(m, entry, exported)
  return path === undefined ? { kind: 'itself' } : { kind, path }
}

function pathOf(
  m: ScanMachine,
  entry: ModuleRecord,
  exported: Value,
): readonly string[] | undefined {
  const all = m.modules.namedExportsOf(entry)
  for (const [name, value] of all) if (holds(value, exported)) return [name]
  for (const [name, value] of all) {
    if (value.kind !== 'object') continue
    for (const [key, member] of value.members) {
      if (typeof key === 'string' && holds(member.value, exported)) return [name, key]
    }
  }
  return undefined
}

function holds(value: Value, wanted: Value): boolean {
  return value === wanted || (value.kind === 'choice' && optionsOf(value).includes(wanted))
}

function isEmpty({ context }: InstanceValue): boolean {
  return context.operations.length === 0
}

/** Calls what the module exports besides an instance without routes: one of them may be what declares them. */
function fill(
  m: ScanMachine,
  entry: ModuleRecord,
  instance: InstanceValue,
  onFailure: Report,
): FunctionValue | undefined {
  for (const candidate of exportedFunctions(m, entry)) {
    if (!looksLikePlugin(m, candidate)) callFactory(m, candidate, onFailure)
    m.boot.finish()
    if (!isEmpty(instance)) return candidate
  }
  return undefined
}

function isOf(entry: ModuleRecord, root: InstanceValue): boolean {
  return root.at?.getSourceFile().fileName === entry.file
}

function exportsInstance(m: ScanMachine, entry: ModuleRecord): boolean {
  return m.modules.exportsOf(entry).some((value) => value.kind === 'instance')
}

/** Of several instances the one that the module exports, else the one that has most to it. */
function created(m: ScanMachine, entry: ModuleRecord): InstanceValue | undefined {
  m.boot.finish()
  const exported = m.modules.exportsOf(entry).find((value) => value.kind === 'instance')
  if (exported?.kind === 'instance') return rootOf(m, exported)
  return largest(m.boot.roots)
}

function rootOf(m: ScanMachine, instance: InstanceValue): InstanceValue | undefined {
  return m.boot.roots.find((root) => root.context.root === instance.context.root)
}

function largest(roots: readonly InstanceValue[]): InstanceValue | undefined {
  return [...roots].sort((a, b) => b.context.operations.length - a.context.operations.length)[0]
}

/** The default export first, then functions whose names say that they make something. */
function exportedFunctions(m: ScanMachine, entry: ModuleRecord): FunctionValue[] {
  const found: FunctionValue[] = []
  const add = (value: Value): void => {
    if (value.kind === 'function' && !found.includes(value)) found.push(value)
    else if (value.kind === 'choice') optionsOf(value).forEach(add)
    else if (value.kind === 'object') for (const member of value.members.values()) add(member.value)
  }
  m.modules
    .exportsOf(entry)
    .filter((value) => isCallable(value) || value.kind === 'object')
    .forEach(add)
  const rank = ({ name }: FunctionValue): number =>
    /app|server|build|create|make|init|fastify/i.test(name) ? 0 : 1
  const [first, ...others] = found
  if (first === undefined) return []
  return [first, ...others.sort((a, b) => rank(a) - rank(b))]
}

/** What a class creates when it is constructed with arguments that nobody knows. */
function constructApplication(
  m: ScanMachine,
  candidate: ClassValue,
  onFailure: Report,
): InstanceValue | undefined {
  const before = m.boot.roots.length
  const constructor = candidate.node.members.find(ts.isConstructorDeclaration)
  const args = givenArguments(constructor?.parameters ?? [], candidate.name)
  attempt(m, candidate, onFailure, () => m.construct(candidate, args, candidate.node))
  m.boot.finish()
  return largest(m.boot.roots.slice(before))
}

/** Goes on with what there is when the code throws; that it does is reported if it had made an instance. */
function attempt(
  m: ScanMachine,
  callee: FunctionValue | ClassValue,
  onFailure: Report,
  run: () => Value,
): Value {
  const before = m.boot.roots.length
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Thrown)) throw error
    const at = m.project.locate(error.at ?? callee.node)
    const told = [describeCallee(callee), describeThrown(error.value)] as const
    if (m.boot.roots.length > before) m.report('AOT_FACTORY_THROWS', at, ...told)
    else onFailure(diagnostic('AOT_FACTORY_THROWS', at, ...told))
    return undefinedValue
  }
}

function describeCallee({ kind, name }: FunctionValue | ClassValue): string {
  if (name === '') return `the ${kind} that the entry exports`
  return kind === 'class' ? `the constructor of \`${name}\`` : `\`${name}\``
}

/** What is known of the arguments that somebody else gives. */
function givenArguments(parameters: readonly ts.ParameterDeclaration[], callee: string): Unknown[] {
  return parameters
    .filter((parameter) => parameter.dotDotDotToken === undefined)
    .map((parameter) => {
      const why = `\`${parameter.name.getText()}\` is given by whoever calls \`${callee || 'the factory'}\``
      const isOptional =
        parameter.initializer !== undefined || parameter.questionToken !== undefined
      return { ...unknown(why, parameter), given: isOptional ? 'optional' : 'whole' }
    })
}

/** What the function creates when nothing is known of its arguments. */
function callFactory(
  m: ScanMachine,
  candidate: FunctionValue,
  onFailure: Report,
): InstanceValue | undefined {
  // A wrapped function is a plugin: it would be called with an instance.
  if (candidate.members.has(Symbol.for('skip-override'))) return undefined
  const at = candidate.node
  const before = m.boot.roots.length
  const listens = m.listens.length
  const args = givenArguments(candidate.node.parameters, candidate.name)
  const result = attempt(m, candidate, onFailure, () =>
    m.boot.settle(m.call(candidate, undefinedValue, args, at)),
  )
  // That it is told to listen matters only to those who call this function.
  m.listens.length = listens
  const instances = m.boot.roots.slice(before)
  if (instances.length === 0) return undefined
  m.boot.finish()
  const returned = instanceIn(result)
  return returned === undefined ? largest(instances) : (rootOf(m, returned) ?? largest(instances))
}

/** The instance that was returned, alone or in an object. */
function instanceIn(value: Value): InstanceValue | undefined {
  if (value.kind === 'instance') return value
  const inner =
    value.kind === 'choice'
      ? value.options
      : value.kind === 'object'
        ? [...value.members.values()].map((member) => member.value)
        : []
  for (const one of inner) {
    const found = one.kind === 'instance' ? one : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Wrapped, or a function whose first parameter is used as an instance. */
function looksLikePlugin(m: ScanMachine, candidate: FunctionValue): boolean {
  if (skipsOverride(m, candidate, candidate.node)) return true
  const [first] = candidate.node.parameters
  if (first === undefined || candidate.node.body === undefined) return false
  const { name } = first
  return ts.isIdentifier(name) && usesAsInstance(candidate.node.body, name.text)
}

const METHODS =
  /^(?:register|route|get|post|put|patch|delete|head|options|all|addSchema|decorate\w*|addHook|after|withTypeProvider)$/

function usesAsInstance(node: ts.Node, name: string): boolean {
  if (ts.isPropertyAccessExpression(node) && METHODS.test(node.name.text)) {
    if (ts.isIdentifier(node.expression) && node.expression.text === name) return true
  }
  return ts.forEachChild(node, (inner) => usesAsInstance(inner, name) || undefined) ?? false
}
