/** Module records, and reading their exports as Node does for ES modules and CommonJS. */
import { closest } from '../../report/closest.ts'
import { describeNoExport } from '../../report/faults.ts'
import type { Node, ts } from '../../util/source/project.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { NamespaceValue, ObjectValue, Unknown, Value } from '../values/index.ts'

/** A source file that runs or has run. */
export interface ModuleRecord {
  readonly file: string
  /** True if it has import or export statements, or its extension says so; else it is a CommonJS module. */
  readonly isEsm: boolean
  readonly scope: Scope
  /** The getters of the exports of an ES module. */
  readonly exports: Map<string, () => Value | undefined>
  /** The modules of `export * from`. */
  readonly stars: ModuleSource[]
  /** `module` of a CommonJS module; `export =` sets its `exports` too. */
  readonly commonJs: ObjectValue
  readonly namespace: NamespaceValue
}

/** The origin of an import: a source file, or something that is one value to the scan. */
export type ModuleSource =
  | { readonly type: 'record'; readonly record: ModuleRecord }
  | { readonly type: 'value'; read(name: string): Value; readonly content: Value }

export function createRecord(
  source: ts.SourceFile,
  isEsm: boolean,
  scope: Scope,
  exported: Value,
): ModuleRecord {
  const { fileName: file } = source
  const commonJs = object(source, {
    computeMember: (key, at) =>
      unknown(`\`module.${String(key)}\` is known only where the application runs`, at),
  })
  commonJs.members.set('exports', { value: exported, at: undefined })
  commonJs.members.set('filename', { value: primitive(file, undefined), at: undefined })
  const record: ModuleRecord = {
    file,
    isEsm,
    scope,
    exports: new Map(),
    stars: [],
    commonJs,
    namespace: {
      kind: 'namespace',
      file,
      read: (name) => readExport(record, name),
      names: () => exportNames(record),
      at: source,
    },
  }
  return record
}

/** Creates a source whose named exports are the members of a value. */
export function valueSource(m: Machine, value: Value, at: Node): ModuleSource {
  const read = (name: string): Value => {
    if (name === '*' || value.kind === 'unknown') return value
    const member = m.get(value, primitive(name, at), at)
    const isMissing = member.kind === 'primitive' && member.value === undefined
    return isMissing && name === 'default' ? value : member
  }
  return { type: 'value', content: value, read }
}

/** @param name `*` for the namespace */
export function readSource(
  source: ModuleSource,
  name: string,
  seen?: Set<ModuleRecord>,
): Value | undefined {
  if (source.type === 'value') return source.read(name)
  const { record } = source
  if (name === '*') return contentOf(record)
  if (hasNamedExports(record)) return readExport(record, name, seen)
  const exported = exportsOf(record)
  const isTranspiled = readMember(exported, '__esModule') !== undefined
  if (name === 'default' && !isTranspiled) return exported
  return readMember(exported, name) ?? undefinedValue
}

/** @param seen modules that `export *` has led to: they may refer to each other */
export function readExport(
  record: ModuleRecord,
  name: string,
  seen: Set<ModuleRecord> = new Set(),
): Value | undefined {
  const readOwn = record.exports.get(name)
  if (readOwn !== undefined) return readOwn()
  if (!hasNamedExports(record)) {
    const exported = exportsOf(record)
    return readMember(exported, name) ?? (name === 'default' ? exported : undefined)
  }
  if (name === 'default' || seen.has(record)) return undefined
  seen.add(record)
  for (const star of record.stars) {
    const value = readSource(star, name, seen)
    if (value !== undefined && !(value.kind === 'primitive' && value.value === undefined)) {
      return value
    }
  }
  return undefined
}

/** Returns why an import is unknown, if the module doesn't export the name. */
export function notExported(
  source: ModuleSource,
  name: string,
  at: ts.StringLiteral,
): Unknown | undefined {
  const names = source.type === 'record' ? exportNames(source.record) : [name]
  if (names.includes(name)) return undefined
  return unknown(describeNoExport(at.text, name, closest(name, names)), at)
}

/** Returns the names of the exports, without `export *` of packages. Those of ES modules are sorted, as in their namespace objects. */
export function exportNames(record: ModuleRecord, seen: Set<ModuleRecord> = new Set()): string[] {
  if (!hasNamedExports(record)) {
    const exported = exportsOf(record)
    const names = 'members' in exported ? [...exported.members.keys()] : []
    return [...names.filter((name) => typeof name === 'string'), 'default']
  }
  const names = new Set(record.exports.keys())
  seen.add(record)
  for (const star of record.stars) {
    if (star.type !== 'record' || seen.has(star.record)) continue
    for (const name of exportNames(star.record, seen)) if (name !== 'default') names.add(name)
  }
  return [...names].sort()
}

/** Returns the namespace of an ES module, or the exports of a CommonJS one. */
export function contentOf(record: ModuleRecord): Value {
  return hasNamedExports(record) ? record.namespace : exportsOf(record)
}

export function exportsOf(record: ModuleRecord): Value {
  return record.commonJs.members.get('exports')?.value ?? undefinedValue
}

/** Returns whether the exports of a module come from `export` statements. CommonJS and `export =` set `module.exports`. */
function hasNamedExports(record: ModuleRecord): boolean {
  const exported = exportsOf(record)
  return record.isEsm && exported.kind === 'object' && exported.members.size === 0
}

function readMember(value: Value, name: string): Value | undefined {
  if (value.kind === 'namespace') return value.read(name)
  return 'members' in value ? value.members.get(name)?.value : undefined
}
