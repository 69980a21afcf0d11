import path from 'node:path'
import { satisfies } from '../../../runtime/boot/version-range.ts'
import type { Machine } from '../values/machine.ts'
import {
  isCallable,
  native,
  primitive,
  truthiness,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import { refine } from '../values/conditions.ts'
import { forEachOption } from '../values/distribution.ts'
import type { Value } from '../values/index.ts'
import type { Node } from '../project.ts'

const kSkipOverride = Symbol.for('skip-override')
const kDisplayName = Symbol.for('fastify.display-name')
const kPluginMeta = Symbol.for('plugin-meta')

/**
 * The wrapper, `fastify-plugin` or `framework/plugin`: it marks the function that it is given.
 * `specifier` names the package whose installed version decides what it knows.
 */
export function pluginWrapper(m: Machine, specifier: string | undefined): Value {
  const wrap = native('plugin', ({ args, at }) => {
    const plugin = openPlugin(m, args[0] ?? undefinedValue, at)
    if (plugin.kind === 'choice') {
      return m.fork(
        plugin.options.map(
          (option) => () => m.call(wrap, undefinedValue, [option, ...args.slice(1)], at),
        ),
        at,
      )
    }
    if (plugin.kind !== 'function' && plugin.kind !== 'native') return plugin
    const isOld = specifier !== undefined && ignoresEncapsulate(m, specifier, at)
    mark(m, plugin, args[1] ?? undefinedValue, isOld, at)
    return plugin
  })
  for (const name of ['default', 'fastifyPlugin', 'plugin', 'fp']) {
    wrap.members.set(name, { value: wrap, at: undefined })
  }
  return wrap
}

/** Old versions wrap every plugin, whatever their option `encapsulate` says. */
function ignoresEncapsulate(m: Machine, specifier: string, at: Node): boolean {
  const file = m.modules.resolve(specifier, at.getSourceFile().fileName)
  return file !== undefined && !m.project.files.text(file).includes('encapsulate')
}

function mark(
  m: Machine,
  plugin: Extract<Value, { kind: 'function' | 'native' }>,
  options: Value,
  isOld: boolean,
  at: Node,
): void {
  const set = (key: symbol | string, value: Value): void => {
    m.journal.setMember(plugin, key, { value, at })
  }
  const isObject = options.kind === 'object'
  const encapsulate = isObject ? m.get(options, primitive('encapsulate', at), at) : undefinedValue
  set(
    kSkipOverride,
    primitive(isOld || !(encapsulate.kind === 'primitive' && encapsulate.value === true), at),
  )
  const name = isObject ? m.known(m.get(options, primitive('name', at), at)) : undefinedValue
  const hasName = name.kind === 'primitive' && typeof name.value === 'string'
  set(kDisplayName, hasName ? name : primitive(`${plugin.name || 'anonymous'}-auto`, at))
  set(kPluginMeta, options)
  if (!plugin.members.has('default')) set('default', plugin)
}

/** The function inside `{ default: plugin }`, a module namespace, or a promise of one. */
export function openPlugin(m: Machine, value: Value, at: Node): Value {
  if (value.kind !== 'object' && value.kind !== 'namespace') return value
  const inner = m.get(value, primitive('default', at), at)
  if (isCallable(inner) || inner.kind === 'deferred' || inner.kind === 'choice') return inner
  if (inner.kind === 'unknown') return inner
  return value.kind === 'namespace'
    ? unknown(`"${path.basename(value.file)}" has no default export`, at)
    : value
}

/** Whether the plugin registers into the context that registers it. */
export function skipsOverride(m: Machine, plugin: Value, at: Node): boolean {
  // What is wrapped under a condition is registered under the same.
  return truthiness(refine(m, m.get(plugin, primitive(kSkipOverride, at), at))) === true
}

/** Reports a plugin of the application that asks for another Fastify than this is: the application would not start. */
export function checkVersion(
  m: Machine,
  plugin: Extract<Value, { kind: 'function' | 'native' }>,
  at: Node,
): void {
  const file = plugin.at?.getSourceFile().fileName
  // Of packages more is known where they are looked into.
  if (file === undefined || /[\\/]node_modules[\\/]/.test(file)) return
  const name = `The plugin "${childName(plugin)}"`
  forEachOption(m, m.get(plugin, primitive(kPluginMeta, at), at), at, (meta) => {
    const given = meta.kind === 'object' ? m.get(meta, primitive('fastify', at), at) : meta
    forEachOption(m, m.known(given), at, (one) => {
      const range = one.kind === 'primitive' ? one.value : undefined
      if (typeof range !== 'string' || range === '') return
      if (satisfies(m.line.fastify, range, false)) return
      const tell = m.arms.length > 0 ? m.warn : m.report
      const advice = `Give it a range that ${m.line.fastify} is in.`
      tell('AOT_PLUGIN_VERSION', m.project.locateFor(at), name, range, m.line.fastify, advice)
    })
  })
}

/** What a report calls the plugin: its given name, its function's name, or its file's. */
export function childName(plugin: Extract<Value, { kind: 'function' | 'native' }>): string {
  const given = plugin.members.get(kDisplayName)?.value
  if (given?.kind === 'primitive' && typeof given.value === 'string') return given.value
  return functionName(plugin)
}

/** What its author calls it: without what the wrapper makes of a plugin that is given no name. */
export function ownName(plugin: Extract<Value, { kind: 'function' | 'native' }>): string {
  const name = childName(plugin)
  return name.endsWith('-auto') ? functionName(plugin) : name
}

function functionName(plugin: Extract<Value, { kind: 'function' | 'native' }>): string {
  if (plugin.name !== '' && plugin.name !== 'default') return plugin.name
  const file = plugin.at?.getSourceFile().fileName
  return file === undefined ? 'anonymous' : fileName(file)
}

function fileName(file: string): string {
  const { name, dir } = path.parse(file)
  return name === 'index' ? path.basename(dir) : name
}
