/** Plugins: the wrapper `fastify-plugin`, names, encapsulation, and the Fastify version that they require. */
import path from 'node:path'
import { satisfies } from '../../../runtime/boot/version-range.ts'
import type { Machine } from '../values/machine.ts'
import {
  addMembers,
  isCallable,
  native,
  primitive,
  truthiness,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { FunctionValue, NativeValue, Value } from '../values/index.ts'
import { refine, forEachOption } from '../values/conditions.ts'
import type { Node } from '../../util/source/project.ts'

export const kSkipOverride: unique symbol = Symbol.for('skip-override')
const kDisplayName = Symbol.for('fastify.display-name')
export const kPluginMeta: unique symbol = Symbol.for('plugin-meta')

/** Returns the function `fastify-plugin` or `framework/plugin`. The installed version of `specifier` decides whether `encapsulate` has an effect. */
export function pluginWrapper(m: Machine, specifier: string | undefined): Value {
  const wrap = native('plugin', ({ args, at }) => {
    const plugin = unwrapDefault(m, args[0] ?? undefinedValue, at)
    if (plugin.kind === 'choice') {
      return forEachOption(m, plugin, at, (one) =>
        m.call(wrap, undefinedValue, [one, ...args.slice(1)], at),
      )
    }
    if (plugin.kind !== 'function' && plugin.kind !== 'native') return plugin
    const isOld = specifier !== undefined && ignoresEncapsulate(m, specifier, at)
    markWrapped(m, plugin, args[1] ?? undefinedValue, isOld, at)
    return plugin
  })
  return addMembers(wrap, { default: wrap, fastifyPlugin: wrap })
}

/** Returns true for old versions of fastify-plugin, which lack the option `encapsulate`. */
function ignoresEncapsulate(m: Machine, specifier: string, at: Node): boolean {
  const file = m.modules.resolve(specifier, at.getSourceFile().fileName)
  return file !== undefined && !m.project.files.text(file).includes('encapsulate')
}

type Plugin = FunctionValue | NativeValue

function markWrapped(m: Machine, plugin: Plugin, options: Value, isOld: boolean, at: Node): void {
  const set = (key: symbol | string, value: Value): void => {
    m.journal.setMember(plugin, key, { value, at })
  }
  const isObject = options.kind === 'object'
  const encapsulate = isObject ? m.get(options, primitive('encapsulate', at), at) : undefinedValue
  const isEncapsulated = encapsulate.kind === 'primitive' && encapsulate.value === true
  set(kSkipOverride, primitive(isOld || !isEncapsulated, at))
  const name = isObject ? m.known(m.get(options, primitive('name', at), at)) : undefinedValue
  const hasName = name.kind === 'primitive' && typeof name.value === 'string'
  set(kDisplayName, hasName ? name : primitive(`${plugin.name || 'anonymous'}-auto`, at))
  set(kPluginMeta, options)
  if (!plugin.members.has('default')) set('default', plugin)
}

/** Returns the default export of a module, or the plugin in `{ default: plugin }`. Returns other values as they are. */
export function unwrapDefault(m: Machine, value: Value, at: Node): Value {
  if (value.kind !== 'object' && value.kind !== 'namespace') return value
  const inner = m.get(value, primitive('default', at), at)
  if (isCallable(inner) || inner.kind === 'deferred' || inner.kind === 'choice') return inner
  if (inner.kind === 'unknown') return inner
  return value.kind === 'namespace'
    ? unknown(`"${path.basename(value.file)}" has no default export`, at)
    : value
}

/** Returns whether the plugin registers into the context that registers it. */
export function skipsOverride(m: Machine, plugin: Value, at: Node): boolean {
  // A plugin that is wrapped under a condition is registered under the same condition.
  return truthiness(refine(m, m.get(plugin, primitive(kSkipOverride, at), at))) === true
}

/** Reports a plugin of the application that requires another version of Fastify: the application wouldn't start. */
export function checkVersion(m: Machine, plugin: Plugin, at: Node): void {
  const file = plugin.at?.getSourceFile().fileName
  // `compiler/packages/` checks plugins of packages.
  if (file === undefined || /[\\/]node_modules[\\/]/.test(file)) return
  const name = `The plugin "${childName(plugin)}"`
  forEachOption(m, m.get(plugin, primitive(kPluginMeta, at), at), at, (meta) => {
    const required = meta.kind === 'object' ? m.get(meta, primitive('fastify', at), at) : meta
    forEachOption(m, m.known(required), at, (one) => {
      const range = one.kind === 'primitive' ? one.value : undefined
      if (typeof range !== 'string' || range === '') return
      if (satisfies(m.target.fastify, range)) return
      const reportOrWarn = m.branches.length > 0 ? m.warn : m.report
      const advice = `Give it a range that includes ${m.target.fastify}.`
      const place = m.project.locateFor(at)
      reportOrWarn('AOT_PLUGIN_VERSION', place, name, range, m.target.fastify, advice)
    })
  })
}

/** Returns the name of a plugin in reports: that of `fastify-plugin`, of its function, or of its file. */
export function childName(plugin: Plugin): string {
  const name = plugin.members.get(kDisplayName)?.value
  if (name?.kind === 'primitive' && typeof name.value === 'string') return name.value
  return functionName(plugin)
}

/** Returns the name by the plugin's author, without the suffix `-auto` that `markWrapped` adds if there is no option `name`. */
export function nameByAuthor(plugin: Plugin): string {
  const name = childName(plugin)
  return name.endsWith('-auto') ? functionName(plugin) : name
}

function functionName(plugin: Plugin): string {
  if (plugin.name !== '' && plugin.name !== 'default') return plugin.name
  const file = plugin.at?.getSourceFile().fileName
  if (file === undefined) return 'anonymous'
  const { name, dir } = path.parse(file)
  return name === 'index' ? path.basename(dir) : name
}
