/**
 * Reads the factory options that decide what is compiled, and reports those that this build can't follow.
 *
 * Options that the caller of an exported factory passes through, as in `framework(options)`, count as not given: the running
 * application compares its options to those of the build.
 */
import { isDeepStrictEqual } from 'node:util'
import { lineTitles } from '../../runtime/artifact/lines.ts'
import { hasNoEffect, optionsWithoutEffect } from '../../runtime/context/fastify-5-options.ts'
import { coerceToBoolean } from '../../runtime/generated/coerce.ts'
import type {
  AjvOptionsSource,
  FactoryOptions,
  ImportRef,
  RouterOptions,
  KnownValue,
} from '../model/index.ts'
import type { ScanMachine } from './machine.ts'
import { mapChoice, optionsOf } from './values/choices.ts'
import { array, isGiven, object } from './values/index.ts'
import { primitive, undefinedValue } from './values/index.ts'
import type { InstanceValue, Value } from './values/index.ts'
import { ownCompilers } from './instance/members.ts'
import { evaluateAll } from './known-values.ts'
import type { Node } from '../util/source/project.ts'

type PlainOptions = KnownValue<Record<string, unknown>>

type ImportAt = AjvOptionsSource['imports'][number]

export function readFactoryOptions(m: ScanMachine, root: InstanceValue): FactoryOptions {
  const { options, at, withBody } = root.context.root
  const read = (name: string): Value => readOption(m, options, name, at)
  const controller = read('schemaController')
  const compilers = ownCompilers(m, controller, at)
  const hasOwnBucket =
    isGiven(controller) && isGiven(m.get(controller, primitive('bucket', at), at))
  return {
    ajv: readAjv(m, read('ajv'), at),
    serializerOpts: readRecord(m, read('serializerOpts'), 'serializerOpts'),
    jsonShorthand: readFlag(m, read('jsonShorthand'), 'jsonShorthand'),
    ...(withBody.length > 0 && { withBody }),
    ...(hasOwnBucket && { hasOwnBucket }),
    exposeHeadRoutes: readFlag(m, read('exposeHeadRoutes'), 'exposeHeadRoutes'),
    router: readRouterOptions(m, options, at),
    bodyLimit: readLimit(m.known(read('bodyLimit'))),
    validatorCompiler: compilers.includes('validator') ? 'own' : 'default',
    serializerCompiler: compilers.includes('serializer') ? 'own' : 'default',
  }
}

function readOption(m: ScanMachine, options: Value, name: string, at: Node): Value {
  const given = withoutCaller(options)
  if (given.kind === 'primitive') return undefinedValue
  if (given.kind === 'choice') return mapChoice(given, (one) => readOption(m, one, name, at), at)
  if (given.kind === 'object' && given.base !== undefined && !given.members.has(name)) {
    return readOption(m, given.base, name, at)
  }
  return withoutCaller(m.get(given, primitive(name, at), at))
}

/** Warns of options of Fastify 5 that have no effect in `framework`. */
export function warnOfNoEffect(m: ScanMachine, root: InstanceValue): void {
  const { options, at } = root.context.root
  const isKnown = (value: Value): boolean =>
    isGiven(value) && !['unknown', 'deferred', 'choice'].includes(value.kind)
  for (const [name, advice] of Object.entries(optionsWithoutEffect)) {
    const [first = '', second] = name.split('.')
    const outer = readOption(m, options, first, at)
    if (!isKnown(outer)) continue
    const value = m.known(second === undefined ? outer : m.get(outer, primitive(second, at), at))
    if (!isKnown(value)) continue
    if (value.kind === 'primitive' && !hasNoEffect(name, value.value)) continue
    m.warn('AOT_OPTION_WITHOUT_EFFECT', m.project.locate(value.at ?? at), name, advice)
  }
}

/** Reports instances of another line than the build's: an artifact can't hold their functions. */
export function reportOtherLines(m: ScanMachine, instances: readonly InstanceValue[]): void {
  const others = instances.flatMap(({ context: { root } }) => {
    const { at, options, line = m.target.name } = root
    const hasOwnArtifact = isGiven(readOption(m, options, 'aot', at))
    return line === m.target.name || hasOwnArtifact ? [] : [{ at, line }]
  })
  // If all are of another line, the user has chosen the target.
  if (others.length === instances.length) return
  for (const { at, line } of others) {
    m.report('AOT_OTHER_LINE', m.project.locate(at), lineTitles[line])
  }
}

/** Returns the first outcome that doesn't come from the caller, if some do. */
function withoutCaller(value: Value): Value {
  const outcomes = optionsOf(value)
  const known = outcomes.filter((outcome) => !isFromCaller(outcome))
  return known.length === outcomes.length ? value : (known[0] ?? undefinedValue)
}

function isFromCaller(value: Value): boolean {
  const cause = value.kind === 'array' ? value.uncertainty : value
  return cause?.kind === 'unknown' && cause.given !== undefined
}

function readRouterOptions(m: ScanMachine, options: Value, at: Node): RouterOptions {
  // Router options beside `routerOptions` are deprecated.
  const ofRouter = readOption(m, options, 'routerOptions', at)
  const is = (name: string, wanted: boolean): boolean => {
    const [value] = [ofRouter, options]
      .map((holder) => m.known(readOption(m, holder, name, at)))
      .filter(isGiven)
    return value?.kind === 'primitive' && value.value === wanted
  }
  return {
    ignoreTrailingSlash: is('ignoreTrailingSlash', true),
    ignoreDuplicateSlashes: is('ignoreDuplicateSlashes', true),
    caseSensitive: !is('caseSensitive', false),
  }
}

function readLimit(value: Value): number | null | undefined {
  if (!isGiven(value)) return undefined
  return value.kind === 'primitive' && typeof value.value === 'number' ? value.value : null
}

function readFlag(m: ScanMachine, option: Value, name: string): boolean {
  return coerceToBoolean(readScalar(m, option, name)) !== false
}

function readScalar(m: ScanMachine, option: Value, name: string): unknown {
  const value = m.known(option)
  if (value.kind === 'primitive') return value.value
  reportUnknown(m, value, name, 'it depends on a condition')
  return undefined
}

function readAjv(m: ScanMachine, ajv: Value, at: Node): AjvOptionsSource {
  const none: AjvOptionsSource = { customOptions: undefined, imports: [], plugins: [] }
  if (!isGiven(ajv)) return none
  if (ajv.kind === 'unknown' || !optionsOf(ajv).every(isGiven)) {
    reportUnknown(m, ajv, 'ajv', ajv.kind === 'unknown' ? ajv.why : 'it depends on a condition')
    return none
  }
  const read = (name: string): Value => withoutCaller(m.get(ajv, primitive(name, at), at))
  const imports: ImportAt[] = []
  const customOptions = withoutCode(m, read('customOptions'), [], imports)
  const mode = readScalar(m, read('mode'), 'ajv.mode')
  const onCreate = read('onCreate')
  return {
    customOptions: readRecord(m, customOptions, 'ajv.customOptions'),
    imports,
    plugins: readPlugins(m, read('plugins'), at),
    // A draft of JSON Schema, or `JTD`.
    mode: mode == null ? undefined : String(mode),
    parts: readRecord(m, read('parts'), 'ajv.parts'),
    onCreate: isGiven(onCreate) ? importRefOf(m, onCreate, 'ajv.onCreate') : undefined,
  }
}

/** Returns the plain part of options. Functions and the like go to `imports`. */
function withoutCode(
  m: ScanMachine,
  value: Value,
  path: readonly string[],
  imports: ImportAt[],
): Value {
  if (isFromCaller(value)) return undefinedValue
  if (value.kind === 'object' && (value.base === undefined || isFromCaller(value.base))) {
    const rest = object(value.at)
    for (const [name, member] of value.members) {
      if (typeof name !== 'string') continue
      const inner = withoutCode(m, member.value, [...path, name], imports)
      if (inner !== undefinedValue) rest.members.set(name, { ...member, value: inner })
    }
    return rest
  }
  if (value.kind === 'array' && value.uncertainty === undefined) {
    const elements = value.elements.map((element, index) =>
      withoutCode(m, element, [...path, String(index)], imports),
    )
    return array(elements, value.at)
  }
  if (!isCode(m, value)) return value
  const ref = importRefOf(m, value, ['ajv.customOptions', ...path].join('.'))
  if (ref !== undefined) imports.push({ path, ref })
  return undefinedValue
}

function isCode(m: ScanMachine, value: Value): boolean {
  if (value.kind === 'function' || value.kind === 'class') return true
  if (value.kind !== 'deferred') return false
  const [outcome] = m.deferrals.plain([value])
  return outcome?.type === 'plain' && outcome.holes.length > 0
}

/** Returns what the build imports to get a value: its package, or a module with the statements that it needs. */
function importRefOf(m: ScanMachine, value: Value, option: string): ImportRef | undefined {
  const { fileName } = (value.at ?? m.entryFile).getSourceFile()
  const at = m.project.locate(value.at ?? m.entryFile)
  if (value.kind === 'deferred' && value.source.op === 'import') {
    const { specifier, importer, name, required } = value.source
    return { specifier, importer, name: required && name === '*' ? 'default' : name, at }
  }
  const module = value.kind === 'unknown' ? value : m.deferrals.moduleOf(value)
  if ('why' in module) {
    reportUnknown(m, value, option, module.why)
    return undefined
  }
  const { importer = fileName, code } = module
  return { specifier: fileName, importer, name: 'default', code, at }
}

function readPlugins(m: ScanMachine, list: Value, at: Node): AjvOptionsSource['plugins'] {
  if (!isGiven(list)) return []
  const items = m.iterate(list, at)
  if (!Array.isArray(items)) {
    reportUnknown(m, items, 'ajv.plugins', items.why)
    return []
  }
  return items.map(withoutEmptyOutcomes).flatMap((item) => {
    const [plugin = undefinedValue, options] = item.kind === 'array' ? item.elements : [item]
    const ref = importRefOf(m, plugin, 'ajv.plugins')
    return ref === undefined
      ? []
      : [{ ref, options: options && readRecord(m, options, 'ajv.plugins') }]
  })
}

/** Drops `undefined` and `null`, in whose place callers of a factory may pass plugins of their own. */
function withoutEmptyOutcomes(item: Value): Value {
  const [only, ...others] = optionsOf(item).filter(isGiven)
  return item.kind === 'choice' && only !== undefined && others.length === 0 ? only : item
}

function readRecord(m: ScanMachine, value: Value, name: string): PlainOptions | undefined {
  if (!isGiven(value)) return undefined
  const [first, ...others] = evaluateAll(m, [{ value, branches: [] }])[0] ?? []
  if (first === undefined) return undefined
  if (others.some(({ value: other }) => !isDeepStrictEqual(other.value, first.value.value))) {
    const why = 'it depends on a condition that only the running application knows'
    reportUnknown(m, value, name, why)
  }
  for (const hole of first.holes) {
    if (hole.reported) continue
    if (hole.missing !== undefined) m.report('AOT_IMPORT_NOT_FOUND', hole.at, hole.missing)
    else m.report('AOT_OPTIONS_NOT_STATIC', hole.at, [name, ...hole.path].join('.'), hole.why)
  }
  return first.holes.length === 0 ? (first.value as PlainOptions) : undefined
}

function reportUnknown(m: ScanMachine, value: Value, name: string, why: string): void {
  m.reportUnknown('AOT_OPTIONS_NOT_STATIC', value.at ?? m.entryFile, value, name, why)
}
