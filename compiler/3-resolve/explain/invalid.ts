/** Explains invalid schemas: which member an error message is about, what it means, and what may be meant instead. */
import type { SourceLocation } from '../../model/index.ts'
import { closest } from '../../report/closest.ts'
import {
  findMember,
  fragmentSteps,
  isMembers,
  pathOf,
  valueAt,
  type Members,
  type Path,
} from '../../util/json.ts'
import type { Document } from './documents.ts'
import { formHint } from './forms.ts'
import { formats, keywords, didYouMean, types } from './near-misses.ts'
import type { ReachedSchema, Spot } from './reach.ts'

export interface Mistake {
  readonly document: Document
  readonly at: SourceLocation
  readonly value: unknown
}

/** The place of a mistake; with `name`, the name of the member is wrong. */
interface Place extends Spot {
  readonly what?: 'name' | undefined
}

/** Finds every member that an error message is about; all of `part` if it names none. @param schemas those that a compiler reaches from `part` */
export function mistakesIn(
  part: Document,
  schemas: readonly ReachedSchema[],
  reason: string,
): readonly Mistake[] {
  const reached = placesIn(schemas, reason)
  const places = reached.length > 0 ? reached : [placeIn(part, reason)]
  return places.map(({ document, path, what }) => ({
    document,
    at: document.locate(path, what),
    value: valueAt(document.schema, path),
  }))
}

function placesIn(schemas: readonly ReachedSchema[], reason: string): readonly Place[] {
  const isMistake = mistakeTest(reason)
  const members = schemas.flatMap(({ document, path, schema }) => {
    const { patternProperties } = schema
    const patterns = isMembers(patternProperties) ? Object.keys(patternProperties) : []
    const keys = Object.keys(schema).filter((key) => isMistake(schema, key))
    const broken = patterns.filter((key) => key === brokenPattern(reason))
    return [...keys.map((key) => [key]), ...broken.map((key) => ['patternProperties', key])].map(
      (inner) => placeOf(document, [...path, ...inner], reason),
    )
  })
  if (members.length > 0) return members
  const [, id = '', pointer] = / at (?:path )?"([^"#]*)#([^"]*)"/.exec(reason) ?? []
  if (pointer === undefined) return []
  const path = fragmentSteps(pointer).join('\n')
  return schemas
    .filter((one) => one.path.join('\n') === path)
    .filter(({ document: { shared } }) => id === '' || shared?.id.replace(/#$/, '') === id)
    .slice(0, 1)
}

/** Members that a message is about without saying where they are. */
const refusedMembers: ReadonlyMap<string, RegExp> = new Map([
  ['nullable', /^"nullable" cannot be used without "type"/],
  ['$schema', /^no schema with key or ref "https?:\/\/json-schema\.org\//],
])

/** Returns a function that recognizes the members that an error message is about. */
function mistakeTest(reason: string): (owner: Members, key: string) => boolean {
  const names = [unknownKeyword(reason), brokenPattern(reason)]
  const values = { format: unknownFormat(reason), pattern: brokenPattern(reason) }
  return (owner, key) => {
    if (names.includes(key)) return true
    if (key === 'format' || key === 'pattern')
      return values[key] !== undefined && owner[key] === values[key]
    if (key === 'nullable' && 'type' in owner) return false
    return refusedMembers.get(key)?.test(reason) === true
  }
}

/** Returns the place of a member: of its name if that is wrong, otherwise of its value. */
function placeOf(document: Document, path: Path, reason: string): Place {
  const isName = [unknownKeyword(reason), brokenPattern(reason)].includes(String(path.at(-1)))
  return { document, path, what: isName ? 'name' : undefined }
}

/** Finds a member by the pointer in the message. Without one, searches the whole document: it isn't known how the compiler reaches the member. */
function placeIn(document: Document, reason: string): Place {
  const path = pathIn(reason)
  if (path !== undefined) {
    const value = valueAt(document.schema, path)
    const wrong = path.at(-1) === 'type' && Array.isArray(value) ? value.findIndex(isNoType) : -1
    return { document, path: wrong < 0 ? path : [...path, wrong] }
  }
  const isMistake = mistakeTest(reason)
  const memberOf = (value: unknown): string | undefined =>
    isMembers(value) ? Object.keys(value).find((key) => isMistake(value, key)) : undefined
  const isOwner = (_: string | number, value: unknown): boolean => memberOf(value) !== undefined
  const [, ...owner] = findMember([document.schema], isOwner) ?? []
  const member = memberOf(valueAt(document.schema, owner))
  return placeOf(document, member === undefined ? [] : [...owner, member], reason)
}

/** By member: the one that Ajv refuses without it. */
const dependents: Readonly<Record<string, string>> = { type: 'nullable', oneOf: 'discriminator' }

/** Returns a copy of a schema without the members that an error message is about. */
export function withoutMistake(schema: unknown, reason: string): unknown {
  const isMistake = mistakeTest(reason)
  const path = pathIn(reason) ?? []
  const refused = String(path.at(-1))
  const owner = path.length > 0 ? valueAt(schema, path.slice(0, -1)) : undefined
  return copyOf(schema)

  function copyOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyOf)
    if (!isMembers(value)) return value
    const isRefused = (key: string): boolean =>
      value === owner && [refused, dependents[refused]].includes(key)
    const members = Object.entries(value).filter(
      ([key]) => !isRefused(key) && !isMistake(value, key),
    )
    return Object.fromEntries(members.map(([key, member]) => [key, copyOf(member)]))
  }
}

function pathIn(reason: string): Path | undefined {
  const pointer = /\bdata(\/[^\s,]*)/.exec(reason)?.[1]
  return pointer === undefined ? undefined : pathOf(pointer)
}

function unknownKeyword(reason: string): string | undefined {
  return /unknown keyword: "([^"]+)"/.exec(reason)?.[1]
}

function unknownFormat(reason: string): string | undefined {
  return /unknown format "([^"]+)"/.exec(reason)?.[1]
}

function brokenPattern(reason: string): string | undefined {
  return /Invalid regular expression: \/(.*)\/[a-z]*:/.exec(reason)?.[1]
}

function isNoType(value: unknown): boolean {
  return !types.includes(value as string)
}

/** Rewords an error message as the end of a sentence. Ajv lists every form in which a value would have been valid. */
export function wordsOf(reason: string, value: unknown): string {
  const [, clauses] = /schema is invalid: (data\/.*)$/s.exec(reason) ?? []
  // Ajv says "ignored" even if it stops there.
  if (clauses === undefined)
    return reason.replace(/^(unknown format ".*?") ignored in schema at path (".*")$/, '$1 at $2')
  if (isAboutType(reason)) {
    if (typeof value === 'string') return `"${value}" isn't a type`
    return '`type` must be the name of a type, or a list of names'
  }
  const byPointer = new Map<string, string[]>()
  for (const clause of clauses.split(/, (?=data\/)/)) {
    const [pointer = '', ...words] = clause.split(' ')
    byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), words.join(' ')])
  }
  const phrases = [...byPointer].map(([pointer, all]) => {
    const others = all.filter(
      (one) => !/^must match (a schema in anyOf|exactly one schema)/.test(one),
    )
    return `${pointer} ${(others.length > 0 ? others : all).join(' or ')}`
  })
  return `schema is invalid: ${phrases.join(', ')}`
}

function isAboutType(reason: string): boolean {
  return /\bdata(\/\S*)?\/type(\/\d+)? must be equal to one of the allowed values/.test(reason)
}

/** Suggests what may be meant instead of `value`. @param written the part of a route, which may be a short form */
export function hintFor(
  reason: string,
  value: unknown,
  written?: unknown,
  hasShortForms = true,
): [] | [string] {
  const form = formHint(written, hasShortForms)
  if (form !== undefined) return [form]
  for (const [name, names, verb, what] of [
    [unknownKeyword(reason), keywords, 'allow', 'keyword'],
    [unknownFormat(reason), formats, 'add', 'format'],
  ] as const) {
    if (name === undefined) continue
    // An older ajv-formats lacks some formats of the list, which must not be suggested in place of themselves.
    const near = didYouMean(closest(name, names).filter((one) => one !== name))
    const start = near === undefined ? 'Correct the schema, or' : `${near} If not,`
    return [`${start} ${verb} the ${what} with the option \`ajv.customOptions.${what}s\`.`]
  }
  if (refusedMembers.get('nullable')?.test(reason)) {
    return ["Add `type`. For a reference, write `anyOf: [{ $ref: '…' }, { type: 'null' }]`."]
  }
  if (refusedMembers.get('$schema')?.test(reason)) {
    return ["Write it in draft-07: Zod does with the option `target: 'draft-7'`."]
  }
  if (!isAboutType(reason) || typeof value !== 'string') return []
  return [didYouMean(closest(value, types)) ?? `There are the types ${types.join(', ')}.`]
}
