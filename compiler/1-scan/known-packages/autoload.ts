/** `@fastify/autoload`: registers each file of a folder, with a prefix from its path. */
import path from 'node:path'
import { spreadInto } from '../values/spread.ts'
import type { Machine } from '../values/machine.ts'
import {
  addMembers,
  isCallable,
  isGiven,
  native,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { InstanceValue, NativeValue, ObjectValue, Unknown, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import { kPluginMeta, kSkipOverride } from '../instance/plugin.ts'
import { Settings } from './autoload-settings.ts'
import { findPlugins } from './autoload-folders.ts'

/** A file as autoload registers it. */
interface Loaded {
  readonly name: string
  readonly plugin: Value
  readonly options: Value
  readonly dependencies: readonly string[]
}

/** A prefix, or why it isn't known; `undefined` for none. */
type Prefix = string | Unknown | undefined

export function autoload(m: Machine): Value {
  const plugin = native('autoload', ({ args: [instance, options = undefinedValue], at }) => {
    if (instance?.kind === 'instance') new Autoload(m, options, at).load(instance)
    return undefinedValue
  })
  // It registers plugins in the context where it is registered itself.
  plugin.members.set(kSkipOverride, { value: primitive(true, undefined), at: undefined })
  return addMembers(plugin, { default: plugin, fastifyAutoload: plugin })
}

/** One registration of autoload. */
class Autoload {
  readonly #machine: Machine
  readonly #settings: Settings
  readonly #at: Node
  readonly #byName = new Map<string, Loaded>()
  readonly #registered = new Set<Loaded>()

  constructor(machine: Machine, options: Value, at: Node) {
    this.#machine = machine
    this.#settings = new Settings(machine, options, at)
    this.#at = at
  }

  load(instance: InstanceValue): void {
    const m = this.#machine
    const at = this.#at
    const value = this.#settings.get('dir')
    const dir = this.#textOf(value)
    if (dir === undefined || !path.isAbsolute(dir)) {
      const why = value.kind === 'unknown' ? value.why : 'its `dir` is not an absolute path'
      m.reportUnknown('AOT_PLUGIN_NOT_STATIC', at, value, why)
      return
    }
    const { files } = m.project
    if (!files.isFolder(dir)) {
      const why = `the folder "${dir}" does not exist`
      m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), why)
      return
    }
    const found = [...findPlugins(this.#settings, files, dir).values()]
    const byFile = new Map<string, Loaded>()
    for (const { file, prefix } of found.flatMap(({ plugins }) => plugins)) {
      const one = this.#loadPlugin(file, prefix)
      if (one === undefined) continue
      byFile.set(file, one)
      // The last of several plugins with one name replaces the others.
      this.#byName.set(one.name, one)
    }
    for (const { hooks, plugins } of found) {
      const registerAll = (target: InstanceValue): void => {
        for (const { file } of plugins) {
          const one = byFile.get(file)
          if (one && this.#byName.get(one.name) === one) this.#register(target, one)
        }
      }
      if (hooks.length === 0) {
        registerAll(instance)
        continue
      }
      const composed = native('composedPlugin', ({ args: [target] }) => {
        if (target?.kind !== 'instance') return undefinedValue
        for (const file of hooks) m.boot.register(target, this.#loadHook(file), undefinedValue, at)
        registerAll(target)
        return undefinedValue
      })
      m.boot.register(instance, composed, undefinedValue, at)
    }
  }

  #register(target: InstanceValue, one: Loaded): void {
    if (this.#registered.has(one)) return
    this.#registered.add(one)
    for (const name of one.dependencies) {
      const dependency = this.#byName.get(name)
      if (dependency !== undefined) this.#register(target, dependency)
    }
    this.#machine.boot.register(target, one.plugin, one.options, this.#at)
  }

  /** Loads the plugin that a file exports, or the route object that becomes one. */
  #loadPlugin(file: string, directoryPrefix: string): Loaded | undefined {
    const m = this.#machine
    const at = this.#at
    const content = m.modules.contentOf(file, at)
    if (content === undefined || !this.#isPluginOrModule(content)) return undefined
    const exported = this.#memberOf(content, 'default')
    // Autoload skips a CommonJS module without a default export, and fails on an ES module.
    if (!isGiven(exported) && content.kind === 'namespace') return undefined
    const plugin = this.#wrapRoute(isGiven(exported) ? exported : content)
    const read = (name: string): Value => {
      const ofPlugin = this.#memberOf(plugin, name)
      return isGiven(ofPlugin) ? ofPlugin : this.#memberOf(content, name)
    }
    if ([plugin, content].some((one) => isFalse(this.#memberOf(one, 'autoload')))) return undefined
    if (!this.#settings.flag('encapsulate', true) && 'members' in plugin) {
      m.journal.setMember(plugin, kSkipOverride, { value: primitive(true, at), at })
    }
    const meta = m.get(plugin, primitive(kPluginMeta, at), at)
    const name = this.#textOf(this.#memberOf(meta, 'name')) ?? file
    const dependencies = m.iterate(this.#memberOf(meta, 'dependencies'), at)
    const options = this.#optionsOf(read('autoConfig'))
    const prefix = this.#prefixIn(read('autoPrefix')) || directoryPrefix
    this.#setPrefix(options, this.#prefixIn(read('prefixOverride')), prefix)
    const names = Array.isArray(dependencies) ? dependencies : []
    return { name, plugin, options, dependencies: names.flatMap((one) => this.#textOf(one) ?? []) }
  }

  #optionsOf(config: Value): ObjectValue | NativeValue {
    const m = this.#machine
    const at = this.#at
    const overrides = this.#settings.get('options')
    const merge = (given: Value): ObjectValue => {
      const options = object(at)
      spreadInto(m, options, given, at)
      spreadInto(m, options, overrides, at)
      return options
    }
    if (!isCallable(config)) return merge(config)
    // Fastify calls it with the instance, but autoload reads its prefix before.
    const make = native('autoConfig', ({ args }) => merge(m.call(config, undefinedValue, args, at)))
    const given = this.#memberOf(overrides, 'prefix')
    const prefix = isGiven(given) ? given : this.#memberOf(config, 'prefix')
    return addMembers(make, { prefix }, at)
  }

  #setPrefix(options: ObjectValue | NativeValue, override: Prefix, prefix: Prefix): void {
    const base = options.kind === 'object' ? options.base : undefined
    // Options from the caller of an exported factory count as not given.
    const isFromCaller = base?.kind === 'unknown' && base.given !== undefined
    const given =
      isFromCaller && !options.members.has('prefix')
        ? undefined
        : this.#prefixIn(this.#memberOf(options, 'prefix'))
    const set = (value: Value): void =>
      this.#machine.journal.setMember(options, 'prefix', { value, at: this.#at })
    const parts = override === undefined ? [given, prefix] : [override]
    const unknownPart = parts.find((part) => typeof part === 'object')
    // Registering the file reports the problem.
    if (unknownPart !== undefined) return set(unknownPart)
    const [first, second = ''] = parts as readonly (string | undefined)[]
    let full = override === undefined && first?.endsWith('/') ? first.slice(0, -1) : first
    if (second !== '') full = (full ?? '') + second.replaceAll(/\/+/g, '/')
    if (full !== undefined && this.#settings.flag('routeParams', false)) full = toParameters(full)
    set(primitive(full, this.#at))
  }

  #loadHook(file: string): Value {
    const content = this.#machine.modules.contentOf(file, this.#at) ?? undefinedValue
    const exported = this.#memberOf(content, 'default')
    const hook = isGiven(exported) ? exported : content
    if (hook.kind === 'function') {
      const value = primitive(true, this.#at)
      this.#machine.journal.setMember(hook, kSkipOverride, { value, at: this.#at })
    }
    return hook
  }

  #isPluginOrModule(value: Value): boolean {
    if (isCallable(value) || value.kind === 'namespace' || value.kind === 'deferred') return true
    const inner = this.#memberOf(value, 'default')
    return isGiven(inner) ? this.#isPluginOrModule(inner) : isRouteObject(value)
  }

  #wrapRoute(content: Value): Value {
    if (!isRouteObject(content)) return content
    const m = this.#machine
    return native('route', ({ args: [instance = undefinedValue] }) =>
      m.call(this.#memberOf(instance, 'route'), instance, [content], this.#at),
    )
  }

  #memberOf(owner: Value, name: string): Value {
    if (owner.kind === 'primitive') return undefinedValue
    return this.#machine.get(owner, primitive(name, this.#at), this.#at)
  }

  #prefixIn(value: Value): Prefix {
    const known = this.#machine.known(value)
    if (known.kind === 'primitive') return this.#textOf(known)
    if (known.kind === 'unknown') return known
    return unknown('it depends on a condition', known.at ?? this.#at)
  }

  #textOf(value: Value): string | undefined {
    const known = this.#machine.known(value)
    return known.kind === 'primitive' && typeof known.value === 'string' ? known.value : undefined
  }
}

/** Replaces `__` by `:`, or without any, `_` at the beginning of segments. */
function toParameters(prefix: string): string {
  if (prefix.includes('__')) return prefix.replaceAll('__', ':')
  return prefix.replaceAll('/_', '/:')
}

function isRouteObject(value: Value): boolean {
  return value.kind === 'object' && value.members.has('method')
}

function isFalse(value: Value): boolean {
  return value.kind === 'primitive' && value.value === false
}
