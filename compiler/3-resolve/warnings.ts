/** Warnings of schemas that are valid, but don't do what they seem to. */
import { isDeepStrictEqual } from 'node:util'
import type { CompileUnit, ValidatorOptions } from '../../runtime/artifact/index.ts'
import type { Binding, Diagnostic, RouteNode, SharedSchema } from '../model/index.ts'
import { closest } from '../report/closest.ts'
import { warning } from '../report/errors.ts'
import { findMember, isMembers, valueAt } from '../util/json.ts'
import { describePart } from './explain/index.ts'
import { didYouMean } from './explain/near-misses.ts'

const parts = ['body', 'headers', 'params', 'query', 'querystring', 'response']

/** Warns of members of a route's `schema` that have no effect and whose name is similar to one that has. */
export function warnOfMisspeltParts({ schema, url }: RouteNode): readonly Diagnostic[] {
  return Object.entries(schema?.value ?? {}).flatMap(([name, value]) => {
    if (parts.includes(name) || !isMembers(value)) return []
    const hint = didYouMean(closest(name, parts))
    const at = schema?.locate([name], 'name')
    if (hint === undefined || at === undefined) return []
    return [warning('AOT_NAME_WITHOUT_EFFECT', at, name, `the schema of ${url}`, hint)]
  })
}

/** Warns of a validator that takes a regular expression from the data that it checks: the sender could block the process with it (CVE-2025-69873). */
export function warnOfDataPattern(unit: CompileUnit, binding: Binding): Diagnostic | undefined {
  const { customOptions } = unit.options as ValidatorOptions
  if (unit.kind !== 'validator' || customOptions.$data !== true) return undefined
  const path = findMember(unit.schema, isDataPattern)
  if (path === undefined && findMember(unit.externals, isDataPattern) === undefined)
    return undefined
  const at = path && binding.route.schema?.locate([...binding.path, ...path])
  return warning('AOT_PATTERN_FROM_DATA', at ?? binding.at, describePart(binding))
}

/** Warns of a body schema for a media type that no request has: their type is compared in lower case and without parameters. */
export function warnOfMediaType({
  httpPart,
  contentType,
  ...binding
}: Binding): Diagnostic | undefined {
  if (httpPart !== 'body' || contentType === undefined) return undefined
  const [essence = ''] = contentType.trim().toLowerCase().split(/[ ;]/, 1)
  const isRange = essence.includes('*')
  if (contentType === essence && !isRange) return undefined
  const advice = isRange ? 'Name each media type in its place' : `Write "${essence}"`
  const { url } = binding.route
  return warning('AOT_MEDIA_TYPE_WITHOUT_EFFECT', binding.at, contentType, url, advice)
}

/** Warns of a schema with the `$id` of another one that was added: Fastify's compiler takes that for both. */
export function warnOfReplacedSchema(
  { kind, schema }: CompileUnit,
  binding: Binding,
  all: readonly SharedSchema[],
): Diagnostic | undefined {
  const { $id } = schema as { readonly $id?: unknown }
  if (kind !== 'validator' || typeof $id !== 'string') return undefined
  const added = all.find(({ id }) => id === $id.replace(/#$/, ''))
  const { route, path, at } = binding
  const own = valueAt(route.schema?.value, path)
  if (added === undefined || isDeepStrictEqual(own, added.schema.value)) return undefined
  const { file, line, column } = added.at
  const place = `${file}:${line}:${column}`
  return warning('AOT_SCHEMA_REPLACED', at, describePart(binding), added.id, place)
}

function isDataPattern(key: string | number, value: unknown): boolean {
  return key === 'pattern' && typeof value === 'object' && value !== null && '$data' in value
}
