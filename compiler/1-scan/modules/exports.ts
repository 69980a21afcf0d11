import { closest } from '../../report/closest.ts'
import { describeNoExport } from '../../report/faults.ts'
import type { Node, ts } from '../project.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { primitive, undefinedValue, unknown } from '../values/index.ts'
import type { NamespaceValue, ObjectValue, Unknown, Value } from '../values/index.ts'

/** One source file that is being run, or has been. */
export interface ModuleRecord {
  readonly file: string
  /** Whether it has import or export statements; else it is a CommonJS module. */
  readonly isEsm: boolean
  readonly scope: Scope
  readonly exports: Map<string, () => Value | undefined>
  readonly stars: ModuleSource[]
  /** `module` of a CommonJS module; also where `export =` goes. */
  readonly commonJs: ObjectValue
  readonly namespace: NamespaceValue
}

/** Where an import comes from: a source file, or something that is one value to the interpreter. */
export type ModuleSource =
  | { readonly type: 'record'; readonly record: ModuleRecord }
  | { readonly type: 'value'; read(name: string): Value; readonly whole: Value }

/** A source for something that is one value; its members are its named exports. */
export function valueSource(m: Machine, value: Value, at: Node): ModuleSource {
  return {
    type: 'value',
    whole: value,
    read: (name) => {
      if (name === '*' || value.kind === 'unknown') return value
      const member = m.get(value, primitive(name, at), at)
      const isMissing = member.kind === 'primitive' && member.value === undefined
      return isMissing && name === 'default' ? value : member
    },
  }
}

export function readSource(source: ModuleSource, name: string): Value | undefined {
  if (source.type === 'value') return source.read(name)
  const { record } = source
  if (record.isEsm && !hasExportEquals(record)) {
    return name === '*' ? record.namespace : readExport(record, name)
  }
  const exported = exportsOf(record)
  if (name === '*') return exported
  const member = readMember(exported, name)
  const isTranspiled = readMember(exported, '__esModule') !== undefined
  return name === 'default' && !isTranspiled ? exported : (member ?? undefinedValue)
}

export function readExport(record: ModuleRecord, name: string): Value | undefined {
  const own = record.exports.get(name)
  if (own !== undefined) return own()
  if (!record.isEsm || hasExportEquals(record)) {
    const exported = exportsOf(record)
    return readMember(exported, name) ?? (name === 'default' ? exported : undefined)
  }
  if (name === 'default') return undefined
  for (const star of record.stars) {
    const value = readSource(star, name)
    if (value !== undefined && !(value.kind === 'primitive' && value.value === undefined)) {
      return value
    }
  }
  return undefined
}

/** Says that a module has no export of that name, if that is why nothing is known of it. */
export function notExported(
  source: ModuleSource,
  name: string,
  at: ts.StringLiteral,
): Unknown | undefined {
  const names = source.type === 'record' ? exportNames(source.record) : [name]
  if (names.includes(name)) return undefined
  return unknown(describeNoExport(at.text, name, closest(name, names)), at)
}

export function exportNames(record: ModuleRecord): string[] {
  if (!record.isEsm || hasExportEquals(record)) {
    const exported = exportsOf(record)
    const names = 'members' in exported ? [...exported.members.keys()] : []
    return [...names.filter((name) => typeof name === 'string'), 'default']
  }
  const names = new Set(record.exports.keys())
  for (const star of record.stars) {
    if (star.type !== 'record') continue
    for (const name of exportNames(star.record)) if (name !== 'default') names.add(name)
  }
  // A namespace object lists its names in this order.
  return [...names].sort()
}

export function exportsOf(record: ModuleRecord): Value {
  return record.commonJs.members.get('exports')?.value ?? undefinedValue
}

export function hasExportEquals(record: ModuleRecord): boolean {
  const exported = exportsOf(record)
  return exported.kind !== 'object' || exported.members.size > 0
}

function readMember(value: Value, name: string): Value | undefined {
  if (value.kind === 'namespace') return value.read(name)
  return 'members' in value ? value.members.get(name)?.value : undefined
}
