import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { truth } from '../interpreter/conditions.ts'
import { spreadInto } from '../interpreter/literals.ts'
import type { Machine } from '../interpreter/machine.ts'
import { isCallable, native, object, primitive, undefinedValue } from '../interpreter/values.ts'
import type { InstanceValue, ObjectValue, Value } from '../interpreter/values.ts'
import type { Node } from '../project.ts'

const kSkipOverride = Symbol.for('skip-override')
const kPluginMeta = Symbol.for('plugin-meta')

const script = /(?:(?:^.?|\.[^d]|[^.]d|[^.][^d])\.ts|\.js|\.cjs|\.mjs|\.cts|\.mts)$/iu
const index = /^index\.(?:[cm]?[jt]s)$/iu
const autoHooks = /^[_.]?auto_?hooks\.(?:[cm]?[jt]s)$/iu

interface Found {
  readonly hooks: readonly string[]
  readonly plugins: { readonly file: string; readonly prefix: string }[]
}

/** A file as autoload registers it. */
interface Loaded {
  readonly file: string
  readonly name: string
  readonly plugin: Value
  readonly options: Value
  readonly dependencies: readonly string[]
}

/** `@fastify/autoload`: registers each file of a folder, under a prefix made of its path. */
export function autoload(m: Machine): Value {
  const plugin = native('autoload', ({ args, at }) => {
    const [instance, options = undefinedValue] = args
    if (instance?.kind === 'instance') load(m, instance, options, at)
    return undefinedValue
  })
  // It registers into the context that it is registered in.
  plugin.members.set(kSkipOverride, { value: primitive(true, undefined), at: undefined })
  for (const name of ['default', 'fastifyAutoload']) {
    plugin.members.set(name, { value: plugin, at: undefined })
  }
  return plugin
}

function load(m: Machine, instance: InstanceValue, given: Value, at: Node): void {
  const settings = new Settings(m, given, at)
  const dir = settings.text('dir')
  if (dir === undefined || !path.isAbsolute(dir)) {
    const value = m.get(given, primitive('dir', at), at)
    const why = value.kind === 'unknown' ? value.why : 'its `dir` is not an absolute path'
    m.report('AOT_PLUGIN_NOT_STATIC', m.project.locate(value.at ?? at), why)
    return
  }
  if (!isFolder(dir)) {
    m.report('AOT_PLUGIN_NOT_STATIC', m.project.locate(at), `the folder "${dir}" does not exist`)
    return
  }
  const found = findPlugins(settings, dir)
  const loaded = new Map<string, Loaded>()
  for (const { plugins } of found.values()) {
    for (const { file, prefix } of plugins) {
      const one = loadPlugin(m, settings, file, prefix, at)
      if (one !== undefined) loaded.set(one.name, one)
    }
  }
  for (const { hooks, plugins } of found.values()) {
    const registerAll = (target: InstanceValue): void => {
      const registered = new Set<Loaded>()
      for (const { file } of plugins) {
        const one = [...loaded.values()].find((candidate) => candidate.file === file)
        if (one !== undefined) registerOne(m, target, one, loaded, registered, at)
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

/** Plugins come after those that they depend on. */
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

/** The options of autoload, with its defaults. */
class Settings {
  readonly #machine: Machine
  readonly #given: Value
  readonly #at: Node

  constructor(machine: Machine, given: Value, at: Node) {
    this.#machine = machine
    this.#given = given
    this.#at = at
  }

  get(name: string): Value {
    return this.#machine.known(this.#machine.get(this.#given, primitive(name, this.#at), this.#at))
  }

  text(name: string): string | undefined {
    const value = this.get(name)
    return value.kind === 'primitive' && typeof value.value === 'string' ? value.value : undefined
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name)
    if (value.kind === 'primitive' && value.value === undefined) return fallback
    return truth(this.#machine, value) ?? fallback
  }

  isSet(name: string): boolean {
    const value = this.get(name)
    return !(value.kind === 'primitive' && !value.value)
  }

  /** Whether a pattern (a text or a regular expression) matches; `fallback` when it is not given. */
  matches(name: string, text: string, fallback: boolean): boolean {
    const pattern = this.get(name)
    if (!this.isSet(name)) return fallback
    return this.#test('(p, s) => s.match(p) !== null', [pattern], text)
  }

  /** Filters may be functions as well, and get the path inside the folder. */
  accepts(name: string, file: string): boolean {
    const filter = this.get(name)
    if (filter.kind === 'primitive') return file.includes(String(filter.value))
    if (isCallable(filter)) {
      const m = this.#machine
      return truth(m, m.call(filter, undefinedValue, [primitive(file, this.#at)], this.#at)) ?? true
    }
    return this.#test('(f, s) => f.test(s)', [filter], file)
  }

  /** What a folder adds to the prefix. */
  segment(dir: string, name: string): string {
    const setting = this.get('dirNameRoutePrefix')
    if (isCallable(setting)) {
      const m = this.#machine
      const args = [primitive(dir, this.#at), primitive(name, this.#at)]
      const result = m.known(m.call(setting, undefinedValue, args, this.#at))
      return result.kind === 'primitive' && result.value ? String(result.value) : ''
    }
    return this.flag('dirNameRoutePrefix', true) ? name : ''
  }

  #test(code: string, operands: readonly Value[], text: string): boolean {
    const m = this.#machine
    const test = m.deferrals.code(code, [...operands, primitive(text, this.#at)], this.#at)
    return truth(m, test) ?? false
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

interface Folder {
  readonly dir: string
  readonly prefix: string
  readonly depth: number
  readonly hooks: readonly string[]
}

/** The plugin files by prefix, a level of folders after the other. */
function findPlugins(settings: Settings, root: string): Map<string, Found> {
  const found = new Map<string, Found>()
  const waiting: Folder[] = [{ dir: root, prefix: '', depth: 0, hooks: [] }]
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    waiting.push(...findInFolder(settings, root, folder, found))
  }
  return found
}

function findInFolder(
  settings: Settings,
  root: string,
  { dir, prefix, depth, hooks: inherited }: Folder,
  found: Map<string, Found>,
): Folder[] {
  const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const names = entries.map(({ name }) => name)
  const hooks = hooksOf(settings, dir, names, inherited)
  const key = prefix || '/'
  const plugins = found.get(key)?.plugins ?? []
  found.set(key, { hooks, plugins })
  const add = (name: string): void => {
    const file = path.join(dir, name)
    const inside = `/${path.relative(root, file).split(path.sep).join('/')}`
    if (settings.isSet('matchFilter') && !settings.accepts('matchFilter', inside)) return
    if (settings.isSet('ignoreFilter') && settings.accepts('ignoreFilter', inside)) return
    plugins.push({ file, prefix })
  }
  const indexFile = names.find((name) => settings.matches('indexPattern', name, index.test(name)))
  if (indexFile !== undefined) add(indexFile)
  const maxDepth = settings.get('maxDepth')
  const isDeepest =
    maxDepth.kind === 'primitive' &&
    Number.isFinite(maxDepth.value) &&
    Number(maxDepth.value) <= depth
  const folders: Folder[] = []
  for (const entry of entries) {
    const { name } = entry
    if (settings.matches('ignorePattern', name, false)) continue
    if (entry.isDirectory() && !isDeepest) {
      const segment = settings.segment(dir, name)
      folders.push({
        dir: path.join(dir, name),
        prefix: (prefix === '' ? '/' : `${prefix}/`) + segment,
        depth: depth + 1,
        hooks: settings.flag('cascadeHooks', false) ? hooks : [],
      })
    } else if (indexFile === undefined && entry.isFile()) {
      const isScript = settings.matches('scriptPattern', name, script.test(name))
      if (isScript && !isAutoHooks(settings, name)) add(name)
    }
  }
  return folders
}

function isAutoHooks(settings: Settings, name: string): boolean {
  return settings.matches('autoHooksPattern', name, autoHooks.test(name))
}

function hooksOf(
  settings: Settings,
  dir: string,
  names: readonly string[],
  inherited: readonly string[],
): readonly string[] {
  if (!settings.flag('autoHooks', false)) return []
  const own = names.find((name) => isAutoHooks(settings, name))
  if (own === undefined) return inherited
  const kept = settings.flag('overwriteHooks', false) ? [] : inherited
  return [...kept, path.join(dir, own)]
}

/** What a file exports: a plugin, or a route object that becomes one. */
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
  const prefix = textOf(m, read('autoPrefix')) || directoryPrefix
  setPrefix(m, settings, options, textOf(m, read('prefixOverride')), prefix, at)
  return {
    file,
    name,
    plugin,
    options,
    dependencies: (Array.isArray(dependencies) ? dependencies : []).flatMap(
      (dependency) => textOf(m, dependency) ?? [],
    ),
  }
}

function pluginOptions(m: Machine, config: Value, overrides: Value, at: Node): ObjectValue {
  const options = object(at)
  // A function as configuration is called with the instance; nothing of it is needed before.
  if (config.kind !== 'function') spreadInto(m, options, config, at)
  spreadInto(m, options, overrides, at)
  return options
}

function setPrefix(
  m: Machine,
  settings: Settings,
  options: ObjectValue,
  override: string | undefined,
  prefix: string,
  at: Node,
): void {
  const given = textOf(m, m.get(options, primitive('prefix', at), at))
  let full = given?.endsWith('/') ? given.slice(0, -1) : given
  if (override !== undefined) full = override
  else if (prefix !== '') full = (full ?? '') + prefix.replaceAll(/\/+/g, '/')
  if (full !== undefined && settings.flag('routeParams', false)) full = toParameters(full)
  m.journal.setMember(options, 'prefix', { value: primitive(full, at), at })
}

/** `__id` anywhere, or `_id` as a whole segment, stand for `:id`. */
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

function isGiven(value: Value): boolean {
  return !(value.kind === 'primitive' && (value.value === undefined || value.value === null))
}

function isFalse(value: Value): boolean {
  return value.kind === 'primitive' && value.value === false
}

function textOf(m: Machine, value: Value): string | undefined {
  const known = m.known(value)
  return known.kind === 'primitive' && typeof known.value === 'string' ? known.value : undefined
}
