import type { CompileUnit, ValidatorOptions } from '../../runtime/artifact/index.ts'
import type { Binding, Diagnostic } from '../model/index.ts'
import { warning } from '../report/errors.ts'
import { findMember, whatOf } from './explain/index.ts'

/** Warns of a validator that takes a regular expression from the data that it checks: the sender could block the process with it (CVE-2025-69873). */
export function warnOfDataPattern(unit: CompileUnit, binding: Binding): Diagnostic | undefined {
  const { customOptions } = unit.options as ValidatorOptions
  if (unit.kind !== 'validator' || customOptions.$data !== true) return undefined
  const own = findMember(unit.schema, isDataPattern)
  if (own === undefined && findMember(unit.externals, isDataPattern) === undefined) return undefined
  const at = own && binding.route.schema?.locate([...binding.path, ...own])
  return warning('AOT_PATTERN_FROM_DATA', at ?? binding.at, whatOf(binding))
}

function isDataPattern(key: string | number, value: unknown): boolean {
  return key === 'pattern' && typeof value === 'object' && value !== null && '$data' in value
}
