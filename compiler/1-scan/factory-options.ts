import type {
  AjvOptionsSource,
  FactoryOptions,
  ImportRef,
  SourceGraph,
  StaticValue,
} from '../model/index.ts'
import type { ScanMachine } from './machine.ts'
import { array, isGiven, object, optionsOf, primitive, undefinedValue } from './values/index.ts'
import type { InstanceValue, Value } from './values/index.ts'
import { ownCompilers } from './instance/members.ts'
import type { Node } from './project.ts'
import { evaluateAll } from './known-values.ts'

/** The factory options that decide what is compiled, out of the argument of the factory. */
export function readFactoryOptions(m: ScanMachine, root: InstanceValue): FactoryOptions {
  const { options, at } = root.context.root
  const read = (name: string): Value => readOption(m, options, name, at)
  const controller = read('schemaController')
  const compilers = ownCompilers(m, controller, at)
  const hasOwnBucket =
    isGiven(controller) && isGiven(m.get(controller, primitive('bucket', at), at))
  return {
    ajv: readAjv(m, read('ajv'), at),
    serializerOpts: readPlain(m, read('serializerOpts'), 'serializerOpts'),
    jsonShorthand: readFlag(m, read('jsonShorthand'), 'jsonShorthand'),
    ...(root.context.root.withBody.length > 0 && { withBody: root.context.root.withBody }),
    ...(hasOwnBucket && { hasOwnBucket }),
    exposeHeadRoutes: readFlag(m, read('exposeHeadRoutes'), 'exposeHeadRoutes'),
    validatorCompiler: compilers.includes('validator') ? 'own' : 'default',
    serializerCompiler: compilers.includes('serializer') ? 'own' : 'default',
  }
}

/**
 * One option. What the caller of an exported factory passes through as a whole, as in
 * `framework(options)`, is taken as not given: the running application compares the options that it
 * was started with to those of the build.
 */
export function readOption(m: ScanMachine, options: Value, name: string, at: Node): Value {
  if (options.kind === 'primitive' || isGivenThrough(options)) return undefinedValue
  if (options.kind === 'object' && options.base !== undefined && !options.members.has(name)) {
    return readOption(m, options.base, name, at)
  }
  return withoutGiven(m.get(options, primitive(name, at), at))
}

/** The outcomes of a value that do not come from the caller. */
function withoutGiven(value: Value): Value {
  const outcomes = optionsOf(value)
  const known = outcomes.filter((outcome) => !isGivenThrough(outcome))
  return known.length === outcomes.length ? value : (known[0] ?? undefinedValue)
}

function isGivenThrough(value: Value): boolean {
  const cause = value.kind === 'array' ? value.uncertainty : value
  return cause?.kind === 'unknown' && cause.given !== undefined
}

/** The factory options that change how URLs are joined; off unless they are turned on. */
export function readSlashOptions(
  m: ScanMachine,
  root: InstanceValue,
): Pick<SourceGraph, 'ignoreTrailingSlash' | 'ignoreDuplicateSlashes' | 'caseSensitive'> {
  const { options, at } = root.context.root
  const { routerOptions } = m.line.routes
  const ofRouter = routerOptions ? readOption(m, options, routerOptions, at) : undefinedValue
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

/** Flags are on unless they are turned off. */
function readFlag(m: ScanMachine, given: Value, name: string): boolean {
  const value = m.known(given)
  if (value.kind === 'primitive') return value.value === undefined ? true : Boolean(value.value)
  reportUnknown(m, value, name, 'it depends on a condition')
  return true
}

function readAjv(m: ScanMachine, ajv: Value, at: Node): AjvOptionsSource {
  const none: AjvOptionsSource = { customOptions: undefined, imports: [], plugins: [] }
  if (!isGiven(ajv)) return none
  if (ajv.kind === 'unknown') {
    reportUnknown(m, ajv, 'ajv', ajv.why)
    return none
  }
  const imports: { path: readonly string[]; ref: ImportRef }[] = []
  const customOptions = withoutGiven(m.get(ajv, primitive('customOptions', at), at))
  const plain = withoutCode(m, customOptions, [], imports)
  const member = (name: string): Value => withoutGiven(m.get(ajv, primitive(name, at), at))
  return {
    customOptions: readPlain(m, plain, 'ajv.customOptions'),
    imports,
    plugins: readPlugins(m, member('plugins'), at),
    mode: readMode(m, member('mode')),
    parts: readPlain(m, member('parts'), 'ajv.parts'),
    onCreate: readOnCreate(m, member('onCreate')),
  }
}

/** Which specification the schemas follow. */
function readMode(m: ScanMachine, given: Value): string | undefined {
  const value = m.known(given)
  if (!isGiven(value)) return undefined
  if (value.kind === 'primitive') return String(value.value)
  reportUnknown(m, value, 'ajv.mode', 'it depends on a condition')
  return undefined
}

function readOnCreate(m: ScanMachine, value: Value): ImportRef | undefined {
  if (!isGiven(value)) return undefined
  const ref = importRefOf(m, value)
  if (ref === undefined) {
    const why = 'it needs something that exists only when the application runs'
    reportUnknown(m, value, 'ajv.onCreate', value.kind === 'unknown' ? value.why : why)
  }
  return ref
}

/** The plain part of the options; functions and the like are taken out as imports. */
function withoutCode(
  m: ScanMachine,
  value: Value,
  path: readonly string[],
  imports: { path: readonly string[]; ref: ImportRef }[],
): Value {
  if (isGivenThrough(value)) return undefinedValue
  if (value.kind === 'object' && (value.base === undefined || isGivenThrough(value.base))) {
    const rest = object(value.at)
    for (const [name, member] of value.members) {
      if (typeof name !== 'string') continue
      const inner = withoutCode(m, member.value, [...path, name], imports)
      if (inner !== undefinedValue) rest.members.set(name, { ...member, value: inner })
    }
    return rest
  }
  if (value.kind === 'array' && value.uncertainty === undefined) {
    const kept = value.elements.map((element, index) =>
      withoutCode(m, element, [...path, String(index)], imports),
    )
    return array(kept, value.at)
  }
  if (!isCode(m, value)) return value
  const ref = importRefOf(m, value)
  if (ref === undefined) {
    reportUnknown(
      m,
      value,
      ['ajv.customOptions', ...path].join('.'),
      'it needs something that exists only when the application runs',
    )
  } else {
    imports.push({ path, ref })
  }
  return undefinedValue
}

/** How the build gets at a live value: from its package, or from a module made of what it needs. */
function importRefOf(m: ScanMachine, value: Value): ImportRef | undefined {
  if (value.kind === 'unknown') return undefined
  const at = m.project.locate(value.at ?? m.entryFile)
  if (value.kind === 'deferred' && value.source.op === 'import') {
    const { specifier, importer, name, required } = value.source
    return { specifier, importer, name: required && name === '*' ? 'default' : name, at }
  }
  const module = m.deferrals.moduleOf(value)
  if (module === undefined) return undefined
  const { fileName } = (value.at ?? m.entryFile).getSourceFile()
  return {
    specifier: fileName,
    importer: module.importer ?? fileName,
    name: 'default',
    code: module.code,
    at,
  }
}

function isCode(m: ScanMachine, value: Value): boolean {
  if (value.kind === 'function' || value.kind === 'class') return true
  if (value.kind !== 'deferred') return false
  const [outcome] = m.deferrals.plain([value])
  return outcome?.type === 'plain' && outcome.holes.length > 0
}

function readPlugins(m: ScanMachine, given: Value, at: Node): AjvOptionsSource['plugins'] {
  if (!isGiven(given)) return []
  const items = m.iterate(given, at)
  if (!Array.isArray(items)) {
    reportUnknown(m, items, 'ajv.plugins', items.why)
    return []
  }
  return items.map(withoutNothing).flatMap((item) => {
    const [plugin = undefinedValue, options] = item.kind === 'array' ? item.elements : [item]
    const ref = importRefOf(m, plugin)
    if (ref === undefined) {
      const why =
        plugin.kind === 'unknown'
          ? plugin.why
          : 'it needs something that exists only when the application runs'
      reportUnknown(m, plugin, 'ajv.plugins', why)
      return []
    }
    return [
      { ref, options: options === undefined ? undefined : readPlain(m, options, 'ajv.plugins') },
    ]
  })
}

/** Where a caller may put others before it, a place may be empty for all that is known. Nothing is no plugin. */
function withoutNothing(item: Value): Value {
  if (item.kind !== 'choice') return item
  const given = item.options.filter(isGiven)
  return given.length === 1 ? (given[0] as Value) : item
}

function readPlain(
  m: ScanMachine,
  value: Value,
  name: string,
): StaticValue<Record<string, unknown>> | undefined {
  if (!isGiven(value)) return undefined
  const [first, ...others] = evaluateAll(m, [{ value, branches: [] }])[0] ?? []
  if (first === undefined) return undefined
  if (others.length > 0) {
    reportUnknown(
      m,
      value,
      name,
      'it depends on a condition that only the running application knows',
    )
  }
  for (const hole of first.holes) {
    if (hole.reported) continue
    if (hole.missing !== undefined) m.report('AOT_IMPORT_NOT_FOUND', hole.at, hole.missing)
    else m.report('AOT_OPTIONS_NOT_STATIC', hole.at, [name, ...hole.path].join('.'), hole.why)
  }
  return first.holes.length === 0
    ? (first.value as StaticValue<Record<string, unknown>>)
    : undefined
}

function reportUnknown(m: ScanMachine, value: Value, name: string, why: string): void {
  m.reportUnknown('AOT_OPTIONS_NOT_STATIC', value.at ?? m.entryFile, value, name, why)
}
