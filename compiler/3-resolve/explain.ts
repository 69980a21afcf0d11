import { addressOf } from '../../runtime/artifact/units.ts'
import type { LineMeaning } from '../lines/index.ts'
import { meaningOf } from '../lines/index.ts'
import { closest } from '../report/closest.ts'
import { contextPaths, isWithin } from '../report/context-path.ts'
import { diagnostic } from '../report/errors.ts'
import { meant, nearMissOf } from './near-misses.ts'
import type {
  Binding,
  ContextTree,
  Diagnostic,
  SharedSchema,
  SourceLocation,
  StaticValue,
  UnknownSchema,
} from '../model.ts'

type Path = readonly (string | number)[]

/** A shared schema, and the name of the context that adds it. */
interface Holder {
  readonly context: string
  readonly shared: SharedSchema
}

/** A shared schema that is not known, and the name of the context that adds it. */
interface Missing {
  readonly context: string
  readonly unknown: UnknownSchema
}

/** The shared schemas of all contexts. */
interface Shared {
  readonly holders: readonly Holder[]
  readonly missing: readonly Missing[]
  /** Whether the application keeps them in a bucket of its own, which may have others. */
  readonly hasOwnBucket: boolean
}

/**
 * Says in the user's terms, and at the user's places, why a schema could not be compiled. Compilers stop at the
 * first reference that they cannot resolve; here all of the schema's are named.
 */
export type Explain = (binding: Binding, reason: string) => readonly Diagnostic[]

/** `tree` is searched for schemas that exist, but not where they are asked for. */
export function createExplain(
  tree: ContextTree,
  line: LineMeaning = meaningOf('framework'),
): Explain {
  const contexts = [...contextPaths(tree.root)]
  const holders = contexts.flatMap(([{ schemas }, context]) =>
    schemas.map((shared) => ({ context, shared })),
  )
  const missing = contexts.flatMap(([{ unknownSchemas }, context]) =>
    unknownSchemas.map((unknown) => ({ context, unknown })),
  )
  const hasOwnBucket = tree.options.hasOwnBucket === true
  return (binding, reason) => {
    const ref = missingRefOf(reason)
    if (ref === undefined) return [explainInvalid(binding, reason, line)]
    const refs = new Set([ref, ...foreignRefs(partOf(binding), binding.context, holders)])
    return [...refs].map((one) => explainMissing(binding, one, { holders, missing, hasOwnBucket }))
  }
}

/** The reference that Ajv or fast-json-stringify could not resolve. */
function missingRefOf(reason: string): string | undefined {
  return (
    /can't resolve reference (\S+) from id/.exec(reason)?.[1] ??
    /Cannot (?:find|resolve) ref(?:erence)? "([^"]*)"/.exec(reason)?.[1]
  )
}

/** The references in `part` to schemas that `context` does not see. */
function foreignRefs(part: unknown, context: string, holders: readonly Holder[]): string[] {
  const members = [...membersOf(part)]
  // With an `$id` of its own, a schema's references are relative to it.
  if (members.some(([key]) => key === '$id')) return []
  const visible = new Set(
    holders
      .filter((holder) => isWithin(context, holder.context))
      .map(({ shared }) => addressOf(shared.id)),
  )
  return members.flatMap(([key, value]) => {
    if (key !== '$ref' || typeof value !== 'string') return []
    const address = addressOf(value)
    return address === '' || visible.has(address) ? [] : [value]
  })
}

function* membersOf(value: unknown): Iterable<readonly [string, unknown]> {
  if (value === null || typeof value !== 'object') return
  for (const [key, member] of Object.entries(value)) {
    yield [key, member]
    yield* membersOf(member)
  }
}

function explainMissing(
  binding: Binding,
  ref: string,
  { holders, missing, hasOwnBucket }: Shared,
): Diagnostic {
  const visible = holders.filter(({ context }) => isWithin(binding.context, context))
  const at = placeOfRef(binding, ref, visible)
  const address = addressOf(ref)
  const isNamed = ({ shared }: Holder): boolean =>
    address !== '' && addressOf(shared.id) === address
  const { context } = binding
  const seen = visible.find(isNamed)
  if (seen !== undefined) {
    const fragment = ref.slice(ref.indexOf('#'))
    const hint = `"${seen.shared.id}" is visible, but it holds no "${fragment}". Correct the part after "#".`
    return diagnostic('AOT_REF_UNRESOLVED', at, ref, context, hint)
  }
  const cause = missing.find(
    ({ context, unknown }) =>
      isWithin(binding.context, context) &&
      (unknown.id === undefined || addressOf(unknown.id) === address),
  )
  if (cause !== undefined) {
    const { file, line } = cause.unknown.at
    const why = `it refers to "${ref}", and the shared schema of ${file}:${line} is not known`
    return diagnostic('AOT_SCHEMA_NOT_STATIC', at, whatOf(binding), why)
  }
  if (hasOwnBucket) {
    const why = `it refers to "${ref}", and the application keeps its shared schemas in a bucket of its own`
    return diagnostic('AOT_SCHEMA_NOT_STATIC', at, whatOf(binding), why)
  }
  const elsewhere = holders.filter(isNamed)
  if (elsewhere.length > 0) {
    const places = elsewhere.map(
      ({ context, shared }) => `"${context}" (${shared.at.file}:${shared.at.line})`,
    )
    return diagnostic('AOT_REF_OUT_OF_SCOPE', at, ref, context, places.join(' and '))
  }
  const near = closest(address, [...new Set(visible.map(({ shared }) => shared.id))])
  const hint = meant(near) ?? 'Add the schema with `addSchema`, or correct the reference.'
  return diagnostic('AOT_REF_UNRESOLVED', at, ref, context, hint)
}

function explainInvalid(binding: Binding, reason: string, line: LineMeaning): Diagnostic {
  const at = placeOfFault(binding, reason)
  const hint = hintFor(partOf(binding), reason, line.schemas.hasShortForms)
  return diagnostic('AOT_SCHEMA_INVALID', at, whatOf(binding), reason, ...hint)
}

/** What else may be meant by a schema that cannot be compiled; nothing when there is no telling. */
function hintFor(part: unknown, reason: string, hasShortForms: boolean): [] | [string] {
  if (hasShortForms && isByMediaType(part)) {
    return [
      'A body has one schema for all media types, unlike in Fastify 5: put that schema in the place of `content`.',
    ]
  }
  const misread =
    hasShortForms && isShortForm(part) ? Object.entries(part).find(isKeyword) : undefined
  if (misread !== undefined) {
    const [key] = misread
    const form = 'Without `type` and `properties` a schema is read as the properties of an object'
    return [`${form}, and so "${key}" as one of them, unlike in Fastify 5. Add \`type\`.`]
  }
  const near = nearMissOf(reason, valueAt(part, pathOfFault(part, reason)))
  if (!reason.includes('unknown keyword')) return near === undefined ? [] : [near]
  return [
    `${near ?? 'Correct the schema,'} ${near === undefined ? 'or allow' : 'If not, allow'} the keyword with the option \`ajv.customOptions.keywords\`.`,
  ]
}

/** Whether the schema holds others by media type, which Fastify 4 knows for responses only. */
function isByMediaType(part: unknown): boolean {
  if (!isShortForm(part)) return false
  const { content } = part
  if (typeof content !== 'object' || content === null) return false
  const types = Object.entries(content)
  return types.length > 0 && types.every(([type, one]) => type.includes('/') && isHolder(one))
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'schema' in value
}

/** Whether Fastify 4 takes the members of a schema for properties. */
function isShortForm(part: unknown): part is Readonly<Record<string, unknown>> {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false
  return !complete.some((key) => Boolean((part as Record<string, unknown>)[key]))
}

const complete = ['type', 'properties', '$ref', 'oneOf', 'allOf', 'anyOf', '$merge', '$patch']

/** Whether a member of a schema can be no property, but is what the keyword of that name takes. */
function isKeyword([key, value]: [string, unknown]): boolean {
  switch (key) {
    case 'required':
    case 'enum':
      return Array.isArray(value)
    case 'description':
    case 'title':
    case '$id':
    case '$schema':
      return typeof value === 'string'
    case 'content':
    case 'patternProperties':
      return typeof value === 'object' && value !== null && !('type' in value)
    default:
      return false
  }
}

/** Which schema of which route it is about, as messages say it. */
export function whatOf(binding: Binding): string {
  return `${describe(binding)} of ${binding.route.methods.join(',')} ${binding.route.url}`
}

function describe({ httpPart, httpStatus, contentType }: Binding): string {
  if (httpPart !== undefined) return `${httpPart} schema`
  return `response schema ${[httpStatus, contentType].filter(Boolean).join(' ')}`
}

/** The place of the very reference: in the route's schema, else in a shared schema. */
function placeOfRef(binding: Binding, ref: string, visible: readonly Holder[]): SourceLocation {
  const isRef = (key: string | number, value: unknown): boolean => key === '$ref' && value === ref
  const { schema } = binding.route
  const inRoute = findMember(partOf(binding), isRef)
  if (inRoute !== undefined && schema) return schema.locate([...binding.path, ...inRoute])
  for (const { shared } of visible) {
    const path = findMember(shared.schema.value, isRef)
    if (path !== undefined) return shared.schema.locate(path)
  }
  return binding.at
}

/** The place that the reason names: a JSON pointer, a keyword, or a regular expression. */
function placeOfFault(binding: Binding, reason: string): SourceLocation {
  const path = pathOfFault(partOf(binding), reason)
  if (path.length === 0) return binding.at
  return placeInside(binding.route.schema, binding.path, path, reason) ?? binding.at
}

/** The place of what a reason names, on the way that `pathOfFault` has found: the name where that is what is wrong. */
export function placeInside(
  schema: StaticValue<unknown> | undefined,
  before: Path,
  path: Path,
  reason: string,
): SourceLocation | undefined {
  const isName = namesIn(reason).includes(path.at(-1) ?? '')
  return schema?.locate([...before, ...path], isName ? 'name' : undefined)
}

/** The way to what the reason names in a schema; empty when it names nothing. */
export function pathOfFault(schema: unknown, reason: string): Path {
  return pathOfPointer(schema, reason) ?? findMember(schema, isNamedIn(reason)) ?? []
}

function isNamedIn(reason: string): (key: string | number, value: unknown) => boolean {
  const [keyword, pattern] = namesIn(reason)
  return (key, value) =>
    (keyword !== undefined && key === keyword) ||
    (pattern !== undefined && (value === pattern || key === pattern))
}

/** The keyword, and the regular expression, that a reason is about. */
function namesIn(reason: string): readonly (string | number | undefined)[] {
  return [
    /unknown keyword: "([^"]+)"/.exec(reason)?.[1],
    /Invalid regular expression: \/(.*)\/[a-z]*:/.exec(reason)?.[1],
  ]
}

function pathOfPointer(part: unknown, reason: string): Path | undefined {
  const pointer = /\bdata(\/[^\s,]*)/.exec(reason) ?? /at path "#([^"]*)"/.exec(reason)
  if (pointer?.[1] === undefined) return undefined
  const path = pointer[1].split('/').slice(1).map(unescapePointer)
  return holdsMember(part, path) ? path : path.slice(1)
}

/** Whether `value` has the first member of `path`: a short form has no `properties` of its own. */
function holdsMember(value: unknown, [first = '']: readonly string[]): boolean {
  return (
    first === '' || (value !== null && typeof value === 'object' && Object.hasOwn(value, first))
  )
}

/** JSON Pointer, RFC 6901, section 4; Ajv also percent-encodes. */
function unescapePointer(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
}

function partOf({ route, path }: Binding): unknown {
  return valueAt(route.schema?.value, path)
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, key) => (one as Record<string | number, unknown> | undefined)?.[key],
    value,
  )
}

/** The path of the first member, depth first, that `matches`. */
export function findMember(
  value: unknown,
  matches: (key: string | number, value: unknown) => boolean,
): Path | undefined {
  if (value === null || typeof value !== 'object') return undefined
  for (const [name, member] of Object.entries(value)) {
    const key = Array.isArray(value) ? Number(name) : name
    if (matches(key, member)) return [key]
    const path = findMember(member, matches)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
