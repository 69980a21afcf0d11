/** Extracts schema literals from the application's code, so that a deployment loads them lazily. */
import { routeParts } from '../../../runtime/artifact/lazy-schemas/index.ts'
import { isPart } from '../../../runtime/artifact/normalize.ts'
import { headersKey, NO_HEADERS, NO_PART } from '../../../runtime/compiled/deployment-schemas.ts'
import type {
  RowForm,
  RowTarget,
  SchemaTable,
} from '../../../runtime/compiled/deployment-schemas.ts'
import type { CompiledArtifact } from '../../result.ts'
import type { SchemaLiteral, SourceGraph } from '../../model/index.ts'
import { LONG_LITERAL, quoted, type Replacement } from './replace.ts'

/** The schemas that replace literals in the application. */
export interface DeploymentSchemas {
  /** By absolute file. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>
  readonly table: SchemaTable
  /** The lazy schemas as JSON. */
  readonly texts: readonly string[]
  /** True if types are created when they're read. */
  readonly hasTypes: boolean
}

/** Literals shorter than this cost a start no more than a lazy schema. */
const SHORT_LITERAL = 40

/**
 * Replaces the literals of schemas. Compiled ones become lazy schemas, and a table says which functions were compiled from them. Other
 * long ones become JSON, which engines parse in a quarter of the time. Types of schema libraries are created when they're read.
 */
export function extractSchemas(
  { literals = [], typeLiterals = [] }: Pick<SourceGraph, 'literals' | 'typeLiterals'>,
  artifact: CompiledArtifact,
  jsonShorthand: boolean,
): DeploymentSchemas {
  const rows = rowsOf(artifact)
  const { texts, contexts } = artifact.app.settings
  const replacements = new Map<string, Replacement[]>()
  const numbers = new Map<string, number>()
  const shapes = new Map<string, number>()
  /** By the number of the lazy schema. */
  const rowsOfSchemas: string[] = []
  for (const literal of literals) {
    const { file, start, text } = literal
    // Positions in JSON files aren't positions in code.
    if (file.endsWith('.json')) continue
    const found = text.length < SHORT_LITERAL ? undefined : rowsFor(literal)
    const isLong = text.length >= LONG_LITERAL
    if (found === undefined && !isLong) continue
    replace(file, {
      start,
      text,
      ...(found === undefined
        ? { callee: 'json', args: quoted(literal.json) }
        : { callee: 'schema', args: lazySchemaFor(literal, found).join() }),
    })
  }
  for (const { file, start, text, types } of typeLiterals) {
    const names = JSON.stringify(types.map(({ name }) => name))
    replace(file, { start, text, callee: 'createOnRead', args: names, lateParts: types })
  }
  const table = {
    shapes: [...shapes.keys()].map((one) => JSON.parse(one) as string[]),
    settings: { texts, contexts },
    jsonShorthand,
    forms: rows.forms,
    rows: `[${rowsOfSchemas.join()}]`,
  }
  return { replacements, table, texts: [...numbers.keys()], hasTypes: typeLiterals.length > 0 }

  function replace(file: string, replacement: Replacement): void {
    const all = replacements.get(file) ?? []
    replacements.set(file, all)
    all.push(replacement)
  }

  function rowsFor({ json, role }: SchemaLiteral): string | undefined {
    if (role === 'value') return undefined
    const parts = partsOf(JSON.parse(json) as Record<string, unknown>)
    const found = [
      ...((parts !== undefined && rows.routes.get(parts)) || []),
      ...(rows.parts.get(json) ?? []),
    ]
    return found.length === 0 ? undefined : `[${found.sort().join()}]`
  }

  function lazySchemaFor({ json }: SchemaLiteral, found: string): readonly [number, number] {
    const nth = numberIn(numbers, json)
    if (nth === rowsOfSchemas.length) rowsOfSchemas.push(found)
    return [nth, numberIn(shapes, JSON.stringify(Object.keys(JSON.parse(json) as object)))]
  }
}

/** Numbers texts in the order of their first use. */
function numberIn(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  return number
}

interface Rows {
  /** By `partsOf` of a route's schema. */
  readonly routes: ReadonlyMap<string, ReadonlySet<string>>
  /** By the JSON of a part's schema. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
  readonly forms: readonly RowForm[]
}

/** Returns rows and forms of the schema table for all compiled routes. */
function rowsOf({ routes, output }: CompiledArtifact): Rows {
  const ofRoutes = new Map<string, Set<string>>()
  const ofParts = new Map<string, Set<string>>()
  const positions = new Map(output.digests.map((digest, i) => [digest, i]))
  const forms = new Map<string, number>()
  for (const { written, validators, serializers, keepsHeaders, functions } of routes) {
    const hasHeaders = Object.hasOwn(written, 'headers')
    const headers = hasHeaders ? headersKey(keepsHeaders) : NO_HEADERS
    const targets = functions.map(({ httpPart, httpStatus, contentType }): RowTarget => {
      const name = httpPart ?? (httpStatus as string)
      return contentType === undefined ? [name] : [name, contentType]
    })
    const found = functions.map(({ digest }) => positions.get(digest) as number)
    const row = rowOf([`r${validators} ${serializers} ${headers} `, targets], found)
    const parts = partsOf(written)
    if (parts !== undefined) add(ofRoutes, parts, row)
    for (const { httpPart, schema, digest } of functions) {
      // Normalizing changes header names to lower case.
      if (httpPart === 'headers' || !isCompletePart(schema)) continue
      const number = httpPart === undefined ? serializers : validators
      const form: RowForm = [`p${number} ${httpPart ?? NO_PART} `, []]
      add(ofParts, JSON.stringify(schema), rowOf(form, [positions.get(digest) as number]))
    }
  }
  const all = [...forms.keys()].map((form) => JSON.parse(form) as RowForm)
  return { routes: ofRoutes, parts: ofParts, forms: all }

  function rowOf(form: RowForm, positions: readonly number[]): string {
    return JSON.stringify([numberIn(forms, JSON.stringify(form)), ...positions])
  }
}

function add(to: Map<string, Set<string>>, key: string, row: string): void {
  to.set(key, (to.get(key) ?? new Set()).add(row))
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the parts of a route's schema that are compiled, as JSON; `undefined` if a lazy schema can't replace it. */
function partsOf(schema: Fields): string | undefined {
  const members = Object.entries(schema).filter(([name]) => routeParts.has(name))
  const areParts = members.every(([name, part]) => (name === 'response' ? !!part : isPart(part)))
  return areParts && members.length > 0 ? JSON.stringify(Object.fromEntries(members)) : undefined
}

/** Returns true if normalizing a route certainly leaves the schema of a part unchanged. */
function isCompletePart(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  const { type, content } = schema as Fields
  return !!type && content === undefined
}
