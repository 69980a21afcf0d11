/**
 * Finds the application of an entry module: an instance that the module creates or exports, else one that an exported
 * factory creates or fills, an instance of another module, one that an exported class creates, or an exported plugin on an instance of its own.
 */
import path from 'node:path'
import { workerEvents } from '../../runtime/deployed/worker-events.ts'
import type { ScanMachine } from './machine.ts'
import { describeThrown, Thrown } from './values/thrown.ts'
import { optionsOf } from './values/choices.ts'
import { happensAsMain } from './values/conditions.ts'
import { innerValues, object, undefinedValue, unknown } from './values/index.ts'
import type { ClassValue, FunctionValue, InstanceValue, Unknown, Value } from './values/index.ts'
import { awaitInPlace } from './builtins/promises.ts'
import { skipsOverride } from './instance/plugin.ts'
import type { ApplicationStart, OnDiagnostic } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import type { ModuleRecord } from './modules/exports.ts'
import { ts } from '../util/source/project.ts'
import { parsePackageJson, takesOptions } from '../util/package-json.ts'

interface Application {
  readonly instance: InstanceValue
  readonly others: readonly InstanceValue[]
  readonly start: ApplicationStart
  /** Names of exported functions that platforms call. */
  readonly handlers: readonly string[]
}

/** @param onFailure gets the errors of functions and classes that throw before they create an instance: they may not be meant to create one */
export function findApplication(
  m: ScanMachine,
  entry: ModuleRecord,
  onFailure: OnDiagnostic,
): Application | undefined {
  return new Search(m, entry, onFailure).run()
}

/** Functions that platforms call: members of the default export, and exports with names that mean nothing else. */
const handlerMembers: ReadonlySet<string> = new Set(['fetch', ...workerEvents])
const handlerExports: ReadonlySet<string> = new Set(['email', 'handler', 'queue', 'scheduled'])

/** The instance of a factory. `listens`: the factory calls `listen`, and doesn't return it. */
interface Made {
  readonly made?: InstanceValue | undefined
  readonly listens?: boolean
}

type Found = Pick<Application, 'instance' | 'start'>

const bySelf: ApplicationStart = { kind: 'itself' }

class Search {
  readonly #machine: ScanMachine
  readonly #entry: ModuleRecord
  readonly #onFailure: OnDiagnostic

  constructor(machine: ScanMachine, entry: ModuleRecord, onFailure: OnDiagnostic) {
    this.#machine = machine
    this.#entry = entry
    this.#onFailure = onFailure
  }

  run(): Application | undefined {
    const { boot, listens } = this.#machine
    const application = this.#asMain(this.#find())
    if (application === undefined) return undefined
    const { instance } = application
    const others = boot.roots.filter((one) => one !== instance && !this.#repeats(one, instance))
    const handlers = this.#handlers()
    const { start } = application
    // The search accepts any exported function that creates an application as its factory, even a handler, and members of objects.
    const isDefaultMember =
      start.kind !== 'itself' && start.path.length === 2 && start.path[0] === 'default'
    const startsByFetch = (start.kind === 'itself' || isDefaultMember) && listens.length === 0
    if (!startsByFetch || !handlers.includes('fetch')) return { ...application, others, handlers }
    return { ...application, start: { kind: 'itself', exportsFetch: true }, others, handlers }
  }

  #handlers(): readonly string[] {
    const isCallable = ({ kind }: Value): boolean => kind === 'function' || kind === 'unknown'
    const all = this.#namedExports()
    const ofDefault = all.flatMap(([name, value]) =>
      name === 'default' && value.kind === 'object' ? [...value.members] : [],
    )
    return [
      ...ofDefault.flatMap(([name, { value }]) =>
        typeof name === 'string' && handlerMembers.has(name) && isCallable(value) ? [name] : [],
      ),
      ...all.flatMap(([name, value]) =>
        handlerExports.has(name) && isCallable(value) ? [name] : [],
      ),
    ]
  }

  #find(): Found | undefined {
    const m = this.#machine
    m.jobs.drain()
    const loaded = this.#roots()
    const isMadeHere = ({ at }: InstanceValue): boolean =>
      at?.getSourceFile().fileName === this.#entry.file
    if (this.#exportedInstance() !== undefined || loaded.some(isMadeHere)) {
      const found = this.#loadMainInstance()
      if (found === undefined) return undefined
      const declarer = isEmpty(found) ? this.#fill(found) : undefined
      const exported = declarer ?? this.#exportedInstance()
      const kind = declarer === undefined ? 'instance' : 'factory'
      return { instance: found, start: exported ? this.#startBy(kind, exported) : bySelf }
    }
    // An entry that starts itself where it is the main module may also export its factories.
    const startsItself = m.listens.length > 0 && loaded.length > 0
    const functions = startsItself ? [] : this.#exportedFunctions()
    for (const candidate of functions) {
      const start = this.#startBy('factory', candidate)
      const { made, listens } = this.#callFactory(candidate)
      if (made && listens && this.#roots(true).length > 0) return { instance: made, start: bySelf }
      // The factory may configure an instance of another module. It is the larger one then: others serve metrics and the like.
      const found = made && largest([made, ...loaded])
      if (found !== undefined) return { instance: found, start }
    }
    if (loaded.length > 0) {
      const found = this.#loadMainInstance()
      return found && { instance: found, start: bySelf }
    }
    for (const candidate of m.modules.exportsOf(this.#entry)) {
      if (candidate.kind !== 'class') continue
      const start = this.#startBy('class', candidate)
      const made = this.#construct(candidate)
      if (made !== undefined) return { instance: made, start }
    }
    const plugin = functions.find((candidate) => looksLikePlugin(m, candidate))
    if (plugin === undefined) return undefined
    const at = plugin.at ?? m.entryFile
    const options = this.#optionsOf(plugin)
    const instance = m.boot.createRoot(options ?? object(at), at)
    m.boot.register(instance, plugin, undefinedValue, at)
    m.boot.finish()
    const start = this.#startBy('plugin', plugin)
    const hasOptions = options !== undefined && start.kind !== 'itself'
    return { instance, start: hasOptions ? { ...start, takesOptions: true } : start }
  }

  /** Returns the instances that exist however the entry is loaded, or those that exist only where it's the main module. */
  #roots(asMain = false): InstanceValue[] {
    return this.#machine.boot.roots.filter((root) => this.#isOfMain(root.context) === asMain)
  }

  #isOfMain({ branches }: InstanceValue['context']): boolean {
    return happensAsMain(this.#machine, branches)
  }

  /** Checks for an instance of the main module that the search has found again: it calls the same factory, with unknown arguments. */
  #repeats(root: InstanceValue, { at, context }: InstanceValue): boolean {
    const isSmaller = sizeOf(root.context) <= sizeOf(context)
    return this.#isOfMain(root.context) && root.at === at && isSmaller
  }

  /** If the entry declares more where it is the main module, it starts itself. */
  #asMain(found: Found | undefined): Found | undefined {
    const { boot } = this.#machine
    if (found?.start.kind === 'itself') return found
    boot.finish()
    const ofMain = largest(this.#roots(true))
    if (found === undefined) return ofMain && { instance: ofMain, start: bySelf }
    if (ofMain && sizeOf(ofMain.context) > sizeOf(found.instance.context))
      return { instance: ofMain, start: bySelf }
    return this.#declaresAsMain(found.instance.context) ? { ...found, start: bySelf } : found
  }

  #declaresAsMain(context: InstanceValue['context']): boolean {
    if (this.#isOfMain(context)) return true
    return context.operations.some((one) => {
      if (one.type === 'child') return this.#declaresAsMain(one.context)
      if (one.type === 'compiler') return false
      return happensAsMain(this.#machine, (one.type === 'route' ? one.route : one).branches)
    })
  }

  #namedExports(): [name: string, value: Value][] {
    return this.#machine.modules.namedExportsOf(this.#entry)
  }

  /** Returns the factory options that the entry exports for fastify-cli, if a script makes it use them. */
  #optionsOf(plugin: FunctionValue): Value | undefined {
    const { files, root } = this.#machine.project
    const packageJson = path.join(root, 'package.json')
    if (!files.isFile(packageJson)) return undefined
    if (!takesOptions(parsePackageJson(files.text(packageJson)))) return undefined
    const [, exported] = this.#namedExports().find(([name]) => name === 'options') ?? []
    return exported ?? plugin.members.get('options')?.value
  }

  /** The entry starts by an export, unless it has called `listen` by now. */
  #startBy(kind: Exclude<ApplicationStart['kind'], 'itself'>, exported: Value): ApplicationStart {
    const path = this.#machine.listens.length > 0 ? undefined : this.#pathOf(exported)
    return path === undefined ? bySelf : { kind, path }
  }

  /** Returns the name of an export, and of its member if the value is that. */
  #pathOf(wanted: Value): readonly string[] | undefined {
    const all = this.#namedExports()
    const holds = (value: Value): boolean => value === wanted || optionsOf(value).includes(wanted)
    for (const [name, value] of all) if (holds(value)) return [name]
    for (const [name, value] of all) {
      const members = value.kind === 'object' ? [...value.members] : []
      const [key] =
        members.find(([one, { value }]) => typeof one === 'string' && holds(value)) ?? []
      if (key !== undefined) return [name, String(key)]
    }
    return undefined
  }

  /** Calls the exported functions of a module whose instance is empty, and returns the first one that declares something on it. */
  #fill(instance: InstanceValue): FunctionValue | undefined {
    const { boot } = this.#machine
    const before = boot.roots.length
    for (const candidate of this.#exportedFunctions()) {
      if (!looksLikePlugin(this.#machine, candidate)) this.#callFactory(candidate)
      boot.finish()
      if (!isEmpty(instance)) return candidate
      // Nothing calls it when the application runs: drop the instances that it has created.
      boot.roots.length = before
    }
    return undefined
  }

  /** Returns the instance that is exported, or a member of an export. */
  #exportedInstance(): InstanceValue | undefined {
    const all = this.#machine.modules.exportsOf(this.#entry)
    const members = all.flatMap((value) =>
      value.kind === 'object' ? [...value.members.values()].map((one) => one.value) : [],
    )
    return [...all, ...members].find((value) => value.kind === 'instance')
  }

  /** Loads all plugins, and returns the instance that the module exports, else the largest one. */
  #loadMainInstance(): InstanceValue | undefined {
    const { boot } = this.#machine
    boot.finish()
    const exported = this.#exportedInstance()
    return exported ? this.#rootOf(exported) : largest(this.#roots())
  }

  #rootOf({ context }: InstanceValue): InstanceValue | undefined {
    return this.#machine.boot.roots.find((root) => root.context.root === context.root)
  }

  /** Returns the exported functions: the default export or else the first one, then those whose names sound like factories, then the others. */
  #exportedFunctions(): FunctionValue[] {
    const found = new Set<FunctionValue>()
    const seen = new Set<Value>()
    const add = (value: Value): void => {
      // `module.exports.default = module.exports` is a cycle.
      if (seen.has(value)) return
      seen.add(value)
      if (value.kind === 'function') found.add(value)
      else if (value.kind === 'choice') optionsOf(value).forEach(add)
      else if (value.kind === 'object')
        for (const { value: one } of value.members.values()) add(one)
    }
    this.#machine.modules.exportsOf(this.#entry).forEach(add)
    const rank = ({ name }: FunctionValue): number =>
      /app|server|build|create|make|init|fastify/i.test(name) ? 0 : 1
    const [first, ...others] = found
    return first === undefined ? [] : [first, ...others.sort((a, b) => rank(a) - rank(b))]
  }

  /** Returns the instance that a class creates when it is constructed with unknown arguments. */
  #construct(candidate: ClassValue): InstanceValue | undefined {
    const m = this.#machine
    const before = m.boot.roots.length
    const constructor = candidate.node.members.find(ts.isConstructorDeclaration)
    const args = unknownArguments(constructor?.parameters ?? [], candidate.name)
    this.#attempt(candidate, () => m.construct(candidate, args, candidate.node))
    m.boot.finish()
    return largest(m.boot.roots.slice(before))
  }

  /** Finds the instance that a function creates when it is called with unknown arguments. */
  #callFactory(candidate: FunctionValue): Made {
    const m = this.#machine
    // A wrapped function is a plugin: its argument is an instance.
    if (candidate.members.has(Symbol.for('skip-override'))) return {}
    const before = m.boot.roots.length
    const listened = m.listens.length
    let listens = false
    const args = unknownArguments(candidate.node.parameters, candidate.name)
    const result = this.#attempt(candidate, () => {
      const called = m.call(candidate, undefinedValue, args, candidate.node)
      const value = awaitInPlace(m, called, candidate.node)
      listens = m.listens.length > listened
      return value
    })
    const instances = m.boot.roots.slice(before)
    if (instances.length === 0) return {}
    m.boot.finish()
    const returned = instanceIn(result)
    const made = (returned && this.#rootOf(returned)) ?? largest(instances)
    return { made, listens: listens && returned === undefined }
  }

  /** Runs code, and goes on if it throws. That is reported if the code had created an instance. */
  #attempt(callee: FunctionValue | ClassValue, run: () => Value): Value {
    const m = this.#machine
    const before = m.boot.roots.length
    const listens = m.listens.length
    try {
      return run()
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
      const at = m.project.locate(error.at ?? callee.node)
      const args = [describeCallee(callee), describeThrown(error.value)] as const
      if (m.boot.roots.length > before) m.report('AOT_FACTORY_THROWS', at, ...args)
      else this.#onFailure(diagnostic('AOT_FACTORY_THROWS', at, ...args))
      return undefinedValue
    } finally {
      // It listens only if something calls it: the entry doesn't start itself.
      m.listens.length = listens
    }
  }
}

function isEmpty({ context }: InstanceValue): boolean {
  return context.operations.length === 0
}

function largest(roots: readonly InstanceValue[]): InstanceValue | undefined {
  return [...roots].sort((a, b) => sizeOf(b.context) - sizeOf(a.context))[0]
}

function sizeOf({ operations }: InstanceValue['context']): number {
  return operations.reduce(
    (sum, one) => sum + 1 + (one.type === 'child' ? sizeOf(one.context) : 0),
    0,
  )
}

function describeCallee({ kind, name }: FunctionValue | ClassValue): string {
  if (name === '') return `the ${kind} that the entry exports`
  return kind === 'class' ? `the constructor of \`${name}\`` : `\`${name}\``
}

function unknownArguments(
  parameters: readonly ts.ParameterDeclaration[],
  callee: string,
): Unknown[] {
  return parameters.map((parameter) => {
    const why = `\`${parameter.name.getText()}\` comes from the caller of \`${callee || 'the factory'}\``
    if (parameter.dotDotDotToken !== undefined)
      return { ...unknown(why, parameter), isSpread: true }
    const isOptional = (parameter.initializer ?? parameter.questionToken) !== undefined
    return { ...unknown(why, parameter), given: isOptional ? 'optional' : 'whole' }
  })
}

function instanceIn(value: Value): InstanceValue | undefined {
  return [value, ...innerValues(value)].find((one) => one.kind === 'instance')
}

/** Returns whether a function is wrapped, or uses its first parameter as an instance. */
function looksLikePlugin(m: ScanMachine, candidate: FunctionValue): boolean {
  if (skipsOverride(m, candidate, candidate.node)) return true
  const { parameters, body } = candidate.node
  const name = parameters[0]?.name
  if (body === undefined || name === undefined || !ts.isIdentifier(name)) return false
  return usesAsInstance(body, name.text)
}

const METHODS =
  /^(?:register|route|get|post|put|patch|delete|head|options|all|addSchema|decorate\w*|addHook|after|withTypeProvider)$/

/** Returns whether a method of the instance is called, bound, or passed on with the instance: options may have the same names. */
function usesAsInstance(node: ts.Node, name: string): boolean {
  const isInstance = (one: ts.Node): boolean => ts.isIdentifier(one) && one.text === name
  const isMethod = (one: ts.Node): boolean =>
    ts.isPropertyAccessExpression(one) && METHODS.test(one.name.text) && isInstance(one.expression)
  if (ts.isCallExpression(node)) {
    const { expression: callee, arguments: args } = node
    if (isMethod(callee) || (args.some(isMethod) && args.some(isInstance))) return true
  } else if (ts.isPropertyAccessExpression(node) && /^(?:bind|call|apply)$/.test(node.name.text)) {
    if (isMethod(node.expression)) return true
  }
  return ts.forEachChild(node, (child) => usesAsInstance(child, name)) ?? false
}
