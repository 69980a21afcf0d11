import type { Machine } from '../values/machine.ts'
import type { BootQueue } from '../values/services.ts'
import { forEachOption } from '../values/distribution.ts'
import { describeThrown, Thrown } from '../values/thrown.ts'
import { isCallable, native, object, primitive, undefinedValue } from '../values/index.ts'
import type {
  FunctionValue,
  InstanceValue,
  NativeValue,
  Primitive,
  Unknown,
  Value,
} from '../values/index.ts'
import { pluginInSource, registerPackagePlugin } from './known-plugins.ts'
import type { Node } from '../project.ts'
import { inheritCompilers } from './context.ts'
import type { ContextRecord, Loading, RootRecord } from '../values/contexts.ts'
import { readInstance } from './members.ts'
import { checkVersion, childName, openPlugin, ownName, skipsOverride } from './plugin.ts'
import { joinPrefix } from './prefix.ts'

/**
 * The order in which a booting application loads its plugins: a registered plugin waits until the
 * one that registered it has run, or awaits it.
 */
export class Boot implements BootQueue {
  readonly roots: InstanceValue[] = []
  readonly #machine: Machine

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** What the factory returns. */
  createRoot(options: Value, at: Node): InstanceValue {
    const root: RootRecord = {
      at,
      options,
      loading: [],
      heads: new Set(),
      methods: [],
      withBody: [],
      hasPackagePlugins: false,
      packagePlugins: [],
    }
    const context = createContext(this.#machine, 'root', '', at, undefined, root)
    const instance = createInstance(context, undefined, at)
    root.loading.push({ instance, plugin: undefined, queue: [] })
    this.roots.push(instance)
    return instance
  }

  /** `await` on an instance loads what was registered so far. */
  settle(value: Value): Value {
    if (value.kind === 'instance') this.#drain(value.context.root)
    return value.kind === 'deferred' ? this.#machine.deferrals.awaited(value, value.at) : value
  }

  /** Loads everything that still waits. */
  finish(): void {
    for (const instance of this.roots) this.#drain(instance.context.root)
  }

  member(owner: InstanceValue, key: string | symbol, at: Node): Value {
    return readInstance(this.#machine, owner, key, at)
  }

  /** Lets a plugin wait for its turn. */
  register(caller: InstanceValue, plugin: Value, given: Value, at: Node): void {
    const options = given.kind === 'primitive' && !given.value ? object(at) : given
    this.#machine.declarations.push(at)
    this.#enqueue(caller, (server) => this.#load(server, plugin, options, at))
  }

  after(caller: InstanceValue, callback: Value, at: Node): void {
    const done = native('done', () => undefinedValue)
    const none = primitive(null, at)
    const length = callback.kind === 'function' ? callback.node.parameters.length : 3
    const args = length < 3 ? [none, done] : [none, caller, done]
    this.afterwards(caller, () => this.#machine.call(callback, undefinedValue, args, at))
  }

  /** Runs when all that was registered before has been loaded. What is registered meanwhile loads before what waits. */
  afterwards(caller: InstanceValue, run: () => void): void {
    const { plugin } = caller.context.root.loading.at(-1) ?? {}
    this.#enqueue(caller, (server) => this.#inTurn(server, plugin, run))
  }

  #enqueue(caller: InstanceValue, run: (server: InstanceValue) => void): void {
    // As avvio does it: what counts is the plugin that is being loaded, not whose method was called.
    const current = caller.context.root.loading.at(-1)
    current?.queue.push({ arms: [...this.#machine.arms], run })
  }

  #drain(root: RootRecord): void {
    const current = root.loading.at(-1)
    if (current !== undefined) this.#drainQueue(current)
  }

  #drainQueue(loading: Loading): void {
    for (let task = loading.queue.shift(); task !== undefined; task = loading.queue.shift()) {
      const outer = this.#machine.arms.splice(0, Infinity, ...task.arms)
      try {
        // A plugin that was registered before a condition loads whatever the condition says.
        const { run, arms } = task
        this.#machine.journal.outside(arms.length, () => run(loading.instance))
      } finally {
        this.#machine.arms.splice(0, Infinity, ...outer)
      }
    }
  }

  #load(server: InstanceValue, registered: Value, options: Value, at: Node): void {
    const m = this.#machine
    const plugin = openPlugin(m, registered, at)
    switch (plugin.kind) {
      case 'choice':
        forEachOption(m, plugin, at, (one) => this.#load(server, one, options, at))
        return
      case 'deferred': {
        registerPackagePlugin(m, plugin, server, options, at)
        const followed = pluginInSource(m, plugin, at)
        if (followed !== undefined) this.#load(server, followed, options, at)
        return
      }
      case 'function':
      case 'native':
        checkVersion(m, plugin, at)
        break
      case 'unknown':
        this.#reportPlugin(plugin, at)
        return
      case 'primitive':
        // `condition && plugin` registers nothing where it does not hold.
        if (!plugin.value && m.arms.length > 0) return
        m.report(
          'AOT_PLUGIN_NOT_STATIC',
          m.project.locateFor(at),
          `it is ${describePrimitive(plugin)}`,
        )
        return
      default:
        m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), 'it is not a function')
        return
    }
    if (skipsOverride(m, plugin, at)) {
      this.#run(server, plugin, options, at, ownName(plugin))
      return
    }
    const prefix = m.known(prefixOf(m, options, at))
    forEachOption(m, prefix, at, (one) => {
      this.#encapsulate(server, plugin, this.#prefixText(one, at), options, at)
    })
  }

  #reportPlugin(plugin: Unknown, call: Node): void {
    this.#machine.reportUnknown('AOT_PLUGIN_NOT_STATIC', call, plugin, plugin.why)
  }

  #encapsulate(
    server: InstanceValue,
    plugin: FunctionValue | NativeValue,
    prefix: string | undefined,
    options: Value,
    at: Node,
  ): void {
    const m = this.#machine
    const { context } = server
    // What the plugin declares is still to be seen.
    const full = joinPrefix(context.prefix, prefix ?? '')
    const isPrefixKnown = context.isPrefixKnown && prefix !== undefined
    const child = createContext(
      m,
      childName(plugin),
      full,
      at,
      context,
      context.root,
      isPrefixKnown,
    )
    context.operations.push({ type: 'child', context: child })
    const instance = createInstance(child, server, at)
    for (const hook of child.onRegister) m.call(hook, undefinedValue, [instance, options], at)
    this.#run(instance, plugin, options, at)
  }

  #run(instance: InstanceValue, plugin: Value, options: Value, at: Node, wrapped?: string): void {
    const m = this.#machine
    try {
      this.#inTurn(instance, wrapped, () => {
        const given = isCallable(options)
          ? m.call(options, undefinedValue, [instance], at)
          : options
        const done = native('done', () => undefinedValue)
        m.call(plugin, undefinedValue, [instance, given, done], at)
      })
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
      const where = error.at && m.project.locate(error.at)
      const place = where === undefined ? '' : ` at ${where.file}:${where.line}:${where.column}`
      const why = `${describeThrown(error.value)}${place}`
      m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), why)
    }
  }

  /** What `run` registers is loaded before this returns. */
  #inTurn(instance: InstanceValue, plugin: string | undefined, run: () => void): void {
    const loading: Loading = { instance, plugin, queue: [] }
    const { root } = instance.context
    root.loading.push(loading)
    try {
      run()
      this.#drainQueue(loading)
    } finally {
      root.loading.pop()
    }
  }

  /** `undefined` when it is not known, which is reported. */
  #prefixText(value: Value, at: Node): string | undefined {
    const m = this.#machine
    const known = m.known(value)
    if (known.kind === 'primitive') return known.value ? String(known.value) : ''
    const why = known.kind === 'unknown' ? known.why : 'its value is not a text'
    m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, known, 'prefix', why)
    return undefined
  }
}

/** `prefix` of the options; of a function that makes them, because it is called too late for it. */
function prefixOf(m: Machine, options: Value, at: Node): Value {
  return options.kind === 'primitive' || options.kind === 'unknown'
    ? undefinedValue
    : m.get(options, primitive('prefix', at), at)
}

function describePrimitive({ value }: Primitive): string {
  return typeof value === 'string'
    ? `the text "${value}", not a function`
    : `${String(value)}, not a function`
}

function createContext(
  m: Machine,
  name: string,
  prefix: string,
  at: Node,
  parent: ContextRecord | undefined,
  root: RootRecord,
  isPrefixKnown = true,
): ContextRecord {
  return {
    name,
    prefix,
    isPrefixKnown,
    at,
    arms: [...m.arms],
    parent,
    root,
    operations: [],
    // A child starts with the hooks that its parent has by then.
    onRoute: [...(parent?.onRoute ?? [])],
    onRegister: [...(parent?.onRegister ?? [])],
    hooks: [...(parent?.hooks ?? [])],
    plugins: [...(parent?.plugins ?? [])],
    compilers: inheritCompilers(parent),
  }
}

function createInstance(
  context: ContextRecord,
  parent: InstanceValue | undefined,
  at: Node,
): InstanceValue {
  return { kind: 'instance', context, parent, members: new Map(), at }
}
