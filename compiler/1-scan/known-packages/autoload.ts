/** `@fastify/autoload`: registers each file of a folder, with a prefix from its path. */
import path from 'node:path'
import { spreadInto } from '../values/spread.ts'
import type { Machine } from '../values/machine.ts'
import {
  isCallable,
  isGiven,
  native,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { InstanceValue, NativeValue, ObjectValue, Unknown, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { Settings } from './autoload-settings.ts'
import { findPlugins } from './autoload-folders.ts'

const kSkipOverride = Symbol.for('skip-override')
const kPluginMeta = Symbol.for('plugin-meta')

/** A file as autoload registers it. */
interface Loaded {
  readonly name: string
  readonly plugin: Value
  readonly options: Value
  readonly dependencies: readonly string[]
}

export function autoload(m: Machine): Value {
  const plugin = native('autoload', ({ args: [instance, options = undefinedValue], at }) => {
    if (instance?.kind === 'instance') load(m, instance, options, at)
    return undefinedValue
  })
  // It registers plugins in the context where it is registered itself.
  plugin.members.set(kSkipOverride, { value: primitive(true, undefined), at: undefined })
  for (const name of ['default', 'fastifyAutoload']) {
    plugin.members.set(name, { value: plugin, at: undefined })
  }
  return plugin
}

function load(m: Machine, instance: InstanceValue, given: Value, at: Node): void {
  const settings = new Settings(m, given, at)
  const value = settings.get('dir')
  const dir = textOf(m, value)
  if (dir === undefined || !path.isAbsolute(dir)) {
    const why = value.kind === 'unknown' ? value.why : 'its `dir` is not an absolute path'
    m.reportUnknown('AOT_PLUGIN_NOT_STATIC', at, value, why)
    return
  }
  const { files } = m.project
  if (!files.isFolder(dir)) {
    m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), `the folder "${dir}" does not exist`)
    return
  }
  const found = [...findPlugins(settings, files, dir).values()]
  const byFile = new Map<string, Loaded>()
  const byName = new Map<string, Loaded>()
  for (const { file, prefix } of found.flatMap(({ plugins }) => plugins)) {
    const one = loadPlugin(m, settings, file, prefix, at)
    if (one === undefined) continue
    byFile.set(file, one)
    byName.set(one.name, one)
  }
  for (const { hooks, plugins } of found) {
    const registerAll = (target: InstanceValue): void => {
      const registered = new Set<Loaded>()
      for (const { file } of plugins) {
        const one = byFile.get(file)
        // The last of several files with one name replaces the others.
        if (one === undefined || byName.get(one.name) !== one) continue
        registerOne(m, target, one, byName, registered, at)
      }
    }
    if (hooks.length === 0) {
      registerAll(instance)
      continue
    }
    const composed = native('composedPlugin', ({ args: [target] }) => {
      if (target?.kind !== 'instance') return undefinedValue
      for (const file of hooks) m.boot.register(target, loadHook(m, file, at), undefinedValue, at)
      registerAll(target)
      return undefinedValue
    })
    m.boot.register(instance, composed, undefinedValue, at)
  }
}

/** Registers a plugin after its dependencies. */
function registerOne(
  m: Machine,
  target: InstanceValue,
  one: Loaded,
  all: ReadonlyMap<string, Loaded>,
  registered: Set<Loaded>,
  at: Node,
): void {
  if (registered.has(one)) return
  registered.add(one)
  for (const name of one.dependencies) {
    const dependency = all.get(name)
    if (dependency !== undefined) registerOne(m, target, dependency, all, registered, at)
  }
  m.boot.register(target, one.plugin, one.options, at)
}

/** Loads the plugin that a file exports, or the route object that becomes one. */
function loadPlugin(
  m: Machine,
  settings: Settings,
  file: string,
  directoryPrefix: string,
  at: Node,
): Loaded | undefined {
  const content = m.modules.contentOf(file, at)
  if (content === undefined || !isPluginOrModule(m, content, at)) return undefined
  const exported = memberOf(m, content, 'default', at)
  // Autoload skips a CommonJS module without a default export, and fails on an ES module.
  if (!isGiven(exported) && content.kind === 'namespace') return undefined
  const plugin = wrapRoute(m, isGiven(exported) ? exported : content, at)
  const read = (name: string): Value => {
    const own = memberOf(m, plugin, name, at)
    return isGiven(own) ? own : memberOf(m, content, name, at)
  }
  if ([plugin, content].some((one) => isFalse(memberOf(m, one, 'autoload', at)))) return undefined
  if (!settings.flag('encapsulate', true) && 'members' in plugin) {
    m.journal.setMember(plugin, kSkipOverride, { value: primitive(true, at), at })
  }
  const meta = m.get(plugin, primitive(kPluginMeta, at), at)
  const name = textOf(m, memberOf(m, meta, 'name', at)) ?? file
  const dependencies = m.iterate(memberOf(m, meta, 'dependencies', at), at)
  const options = pluginOptions(m, read('autoConfig'), settings.get('options'), at)
  const prefix = readPrefix(m, read('autoPrefix'), at) || directoryPrefix
  setPrefix(m, settings, options, readPrefix(m, read('prefixOverride'), at), prefix, at)
  const names = Array.isArray(dependencies) ? dependencies : []
  return { name, plugin, options, dependencies: names.flatMap((one) => textOf(m, one) ?? []) }
}

function pluginOptions(
  m: Machine,
  config: Value,
  overrides: Value,
  at: Node,
): ObjectValue | NativeValue {
  const merge = (given: Value): ObjectValue => {
    const options = object(at)
    spreadInto(m, options, given, at)
    spreadInto(m, options, overrides, at)
    return options
  }
  if (!isCallable(config)) return merge(config)
  // Autoload calls it with the instance, but needs its prefix before.
  const make = native('autoConfig', ({ args }) => merge(m.call(config, undefinedValue, args, at)))
  const given = memberOf(m, overrides, 'prefix', at)
  const prefix = isGiven(given) ? given : memberOf(m, config, 'prefix', at)
  make.members.set('prefix', { value: prefix, at })
  return make
}

function setPrefix(
  m: Machine,
  settings: Settings,
  options: ObjectValue | NativeValue,
  override: Prefix,
  prefix: Prefix,
  at: Node,
): void {
  const isGivenThrough =
    options.kind === 'object' &&
    options.base?.kind === 'unknown' &&
    options.base.given !== undefined
  // Options from the caller of an exported factory count as not given.
  const given =
    isGivenThrough && !options.members.has('prefix')
      ? undefined
      : readPrefix(m, m.get(options, primitive('prefix', at), at), at)
  const parts = override === undefined ? [given, prefix] : [override]
  const open = parts.find((part) => typeof part === 'object')
  if (open !== undefined) {
    // Registering the file reports the problem.
    m.journal.setMember(options, 'prefix', { value: open, at })
    return
  }
  const [first, second = ''] = parts as readonly (string | undefined)[]
  let full = override === undefined && first?.endsWith('/') ? first.slice(0, -1) : first
  if (second !== '') full = (full ?? '') + second.replaceAll(/\/+/g, '/')
  if (full !== undefined && settings.flag('routeParams', false)) full = toParameters(full)
  m.journal.setMember(options, 'prefix', { value: primitive(full, at), at })
}

/** Replaces `__id` anywhere, or `_id` as a whole segment, by `:id`. */
function toParameters(prefix: string): string {
  if (prefix.includes('__')) return prefix.replaceAll('__', ':')
  return prefix.replaceAll('/_', '/:')
}

function loadHook(m: Machine, file: string, at: Node): Value {
  const content = m.modules.contentOf(file, at) ?? undefinedValue
  const exported = memberOf(m, content, 'default', at)
  const hook = isGiven(exported) ? exported : content
  if (hook.kind === 'function') {
    m.journal.setMember(hook, kSkipOverride, { value: primitive(true, at), at })
  }
  return hook
}

function isPluginOrModule(m: Machine, value: Value, at: Node): boolean {
  if (isCallable(value) || value.kind === 'namespace' || value.kind === 'deferred') return true
  const inner = memberOf(m, value, 'default', at)
  return isGiven(inner) ? isPluginOrModule(m, inner, at) : isRouteObject(value)
}

function isRouteObject(value: Value): boolean {
  return value.kind === 'object' && value.members.has('method')
}

function wrapRoute(m: Machine, content: Value, at: Node): Value {
  if (!isRouteObject(content)) return content
  return native('route', ({ args: [instance = undefinedValue] }) =>
    m.call(m.get(instance, primitive('route', at), at), instance, [content], at),
  )
}

function memberOf(m: Machine, owner: Value, name: string, at: Node): Value {
  return owner.kind === 'primitive' ? undefinedValue : m.get(owner, primitive(name, at), at)
}

function isFalse(value: Value): boolean {
  return value.kind === 'primitive' && value.value === false
}

/** Returns a part of a prefix; reports an unknown one. */
/** A prefix, or why it isn't known. */
type Prefix = string | Unknown | undefined

function readPrefix(m: Machine, value: Value, at: Node): Prefix {
  const known = m.known(value)
  if (known.kind === 'primitive') return textOf(m, known)
  return known.kind === 'unknown' ? known : unknown('it depends on a condition', known.at ?? at)
}

function textOf(m: Machine, value: Value): string | undefined {
  const known = m.known(value)
  return known.kind === 'primitive' && typeof known.value === 'string' ? known.value : undefined
}
