/** The boot queue: loads plugins in avvio's order. A registered plugin waits until the one that registers it has run, or awaits it. */
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Machine } from '../values/machine.ts'
import type { BootQueue } from '../values/interfaces.ts'
import { awaitInPlace, isPromise, newPromise, reject, resolve } from '../builtins/promises.ts'
import { sharedDepth } from '../../util/branches.ts'
import { branchOn, forEachOption } from '../values/conditions.ts'
import { describeThrown, possibleError, Thrown } from '../values/thrown.ts'
import { choice } from '../values/choices.ts'
import { isCallable, native, object, primitive, undefinedValue } from '../values/index.ts'
import type {
  FunctionValue,
  InstanceValue,
  NativeValue,
  PromiseObject,
  Unknown,
  Value,
} from '../values/index.ts'
import { pluginInSource, registerPackagePlugin } from './known-plugins.ts'
import type { Node } from '../../util/source/project.ts'
import { createChild, createRoot, loadingIn } from './context.ts'
import { noteUnknownHooks } from './hooks.ts'
import type { Loading } from '../values/contexts.ts'
import { readInstance } from './members.ts'
import { checkVersion, childName, unwrapDefault, nameByAuthor, skipsOverride } from './plugin.ts'

export class Boot implements BootQueue {
  readonly roots: InstanceValue[] = []
  readonly #machine: Machine

  constructor(machine: Machine) {
    this.#machine = machine
  }

  createRoot(options: Value, at: Node, line?: LineName): InstanceValue {
    const root = createRoot(this.#machine, options, at, line)
    this.roots.push(root)
    return root
  }

  settle(instance: InstanceValue): Value {
    this.#drain(loadingIn(this.#machine, instance.context.root))
    return instance
  }

  finish(): void {
    this.#machine.jobs.drain()
    for (const { context } of this.roots) {
      const { root } = context
      this.#drain(root.loading.at(-1))
      root.failure?.report()
      root.failure = undefined
    }
    this.#machine.jobs.drain()
  }

  member(owner: InstanceValue, key: string | symbol, at: Node): Value {
    return readInstance(this.#machine, owner, key, at)
  }

  register(caller: InstanceValue, plugin: Value, given: Value, at: Node): void {
    const options = given.kind === 'primitive' && !given.value ? object(at) : given
    this.#machine.declarations.push(at)
    this.#enqueue(caller, (server) => this.#load(server, plugin, options, at))
  }

  after(caller: InstanceValue, callback: Value, at: Node): void {
    const { promise, done } = callbackOf(this.#machine, at)
    const { root } = caller.context
    const length = callback.kind === 'function' ? callback.node.parameters.length : 3
    this.afterwards(caller, () => {
      const { failure, possible } = root
      const noError = primitive(null, at)
      const error =
        failure?.error.value ?? (possible ? choice([noError, possible.value], at) : noError)
      if (length > 0) Object.assign(root, { failure: undefined, possible: undefined })
      const args = length < 3 ? [error, done] : [error, caller, done]
      try {
        const result = this.#machine.call(callback, undefinedValue, args, at)
        awaitInPlace(this.#machine, length > 1 && !isPromise(result) ? promise : result, at)
      } catch (thrown) {
        this.#fail(caller, thrown, at)
      }
    })
  }

  /** Calls `run` once everything registered before has loaded. What `run` registers loads before the rest of the queue. */
  afterwards(caller: InstanceValue, run: () => void): void {
    const { plugin } = loadingIn(this.#machine, caller.context.root) ?? {}
    this.#enqueue(caller, (server) => this.#inTurn(server, plugin, run))
  }

  #enqueue(caller: InstanceValue, run: (server: InstanceValue) => void): void {
    // As in avvio, the plugin that is loading decides, not the instance whose method was called.
    const current = loadingIn(this.#machine, caller.context.root)
    current?.queue.push({ branches: [...this.#machine.branches], run })
  }

  #drain(loading: Loading | undefined): void {
    if (loading === undefined) return
    const { branches, journal } = this.#machine
    for (let task = loading.queue.shift(); task !== undefined; task = loading.queue.shift()) {
      const { run, branches: taskBranches } = task
      const shared = sharedDepth(branches, taskBranches)
      const outer = branches.splice(0, Infinity, ...taskBranches)
      try {
        // A plugin that was registered before a condition loads whatever the condition is, and one of another branch loads in that one only.
        journal.outside(shared, () => run(loading.instance))
      } finally {
        branches.splice(0, Infinity, ...outer)
      }
    }
  }

  #load(server: InstanceValue, given: Value, options: Value, at: Node): void {
    const m = this.#machine
    const { root } = server.context
    // As avvio does, until a callback of `after` takes the error.
    if (root.failure !== undefined) return
    const registered = given.kind === 'object' ? awaitInPlace(m, given, at) : given
    const plugin = unwrapDefault(m, registered, at)
    if (plugin.kind === 'choice') {
      forEachOption(m, plugin, at, (one) => this.#load(server, one, options, at))
    } else if (plugin.kind === 'deferred') {
      registerPackagePlugin(m, plugin, server, options, at)
      root.possible = possibleError('a plugin of a package may fail', at)
      const source = pluginInSource(m, plugin, at)
      if (source !== undefined) this.#load(server, source, options, at)
    } else if (plugin.kind !== 'function' && plugin.kind !== 'native') {
      noteUnknownHooks(m, server.context, 'a plugin that is not known may add hooks', at)
      reportNoFunction(m, plugin, at)
    } else {
      checkVersion(m, plugin, at)
      if (skipsOverride(m, plugin, at)) {
        this.#run(server, plugin, options, at, nameByAuthor(plugin))
        return
      }
      forEachOption(m, m.known(prefixOf(m, options, at)), at, (prefix) =>
        this.#encapsulate(server, plugin, prefixText(m, prefix, at), options, at),
      )
    }
  }

  #encapsulate(
    server: InstanceValue,
    plugin: FunctionValue | NativeValue,
    prefix: string | undefined,
    options: Value,
    at: Node,
  ): void {
    const m = this.#machine
    const child = createChild(m, server, childName(plugin), prefix, at)
    for (const hook of child.context.onRegister) m.call(hook, undefinedValue, [child, options], at)
    this.#run(child, plugin, options, at)
  }

  /** @param wrapped the name of a plugin that has no context of its own */
  #run(instance: InstanceValue, plugin: Value, options: Value, at: Node, wrapped?: string): void {
    const m = this.#machine
    try {
      this.#inTurn(instance, wrapped, () => {
        const resolved = isCallable(options)
          ? m.call(options, undefinedValue, [instance], at)
          : options
        const takesDone = plugin.kind === 'function' && plugin.node.parameters.length > 2
        const { promise, done } = callbackOf(m, at)
        const result = m.call(plugin, undefinedValue, [instance, resolved, done], at)
        awaitInPlace(m, takesDone && !isPromise(result) ? promise : result, at)
      })
    } catch (error) {
      this.#fail(instance, error, at)
    }
  }

  /** Keeps the error of a plugin or a callback for the next callback that takes one. */
  #fail({ context }: InstanceValue, error: unknown, at: Node): void {
    const m = this.#machine
    if (!(error instanceof Thrown)) throw error
    const where = error.at && m.project.locate(error.at)
    const place = where === undefined ? '' : ` at ${where.file}:${where.line}:${where.column}`
    const why = `${describeThrown(error.value)}${place}`
    const report = (): void => m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), why)
    if (m.branches.length > 0) report()
    else context.root.failure = { error, report }
  }

  #inTurn(instance: InstanceValue, plugin: string | undefined, run: () => void): void {
    const branches = [...this.#machine.branches]
    const loading: Loading = { instance, plugin, branches, queue: [] }
    const { root } = instance.context
    root.loading.push(loading)
    try {
      run()
      this.#drain(loading)
    } finally {
      root.loading.pop()
    }
  }
}

/** Returns the callback that ends a plugin, and a promise of its call. */
function callbackOf(m: Machine, at: Node): { promise: PromiseObject; done: NativeValue } {
  const promise = newPromise(at)
  const done = native('done', ({ args: [error = undefinedValue] }) =>
    branchOn(m, error, at, (isError) => {
      if (isError) reject(m, promise, new Thrown(error, at))
      else resolve(m, promise, undefinedValue, at)
      return undefinedValue
    }),
  )
  return { promise, done }
}

function reportNoFunction(m: Machine, plugin: Value, at: Node): void {
  if (plugin.kind === 'unknown') {
    m.reportUnknown('AOT_PLUGIN_NOT_STATIC', at, plugin, plugin.why)
    return
  }
  let what = 'not a function'
  if (plugin.kind === 'primitive') {
    const { value } = plugin
    // `condition && plugin` registers nothing if the condition doesn't hold: `register` throws.
    if (!value && m.branches.length > 0) return
    what = `${typeof value === 'string' ? `the string "${value}"` : String(value)}, not a function`
  }
  m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), `it is ${what}`)
}

/** Returns `prefix` of the options. A function that makes options runs too late to set it. */
function prefixOf(m: Machine, options: Value, at: Node): Value {
  return options.kind === 'primitive' || options.kind === 'unknown'
    ? undefinedValue
    : m.get(options, primitive('prefix', at), at)
}

/** Returns the text of a prefix; reports an unknown one and returns `undefined`. */
function prefixText(m: Machine, value: Value, at: Node): string | undefined {
  const known = m.known(value)
  if (known.kind === 'primitive') return known.value ? String(known.value) : ''
  const { why, reported, missing }: Partial<Unknown> = known.kind === 'unknown' ? known : {}
  if (missing !== undefined) m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, known)
  else if (reported !== true)
    m.warn('AOT_PREFIX_NOT_STATIC', m.project.locateFor(at, value.at), why ?? 'it is not a string')
  return undefined
}
