/** Finds the validators and serializers of lazy schemas in a deployment. */
import type {
  Artifact,
  Digest,
  FindRoute,
  HttpPart,
  RouteBinding,
  RouteFunction,
} from '../artifact/index.ts'
import type { LazySchemaSource, Shape } from '../artifact/lazy-schemas/index.ts'
import {
  createLazySchema,
  createShape,
  routeParts,
  untouchedPart,
  untouchedRoute,
} from '../artifact/lazy-schemas/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { SettingsTable } from '../artifact/settings.ts'
import { createSettingsIndex } from '../artifact/settings.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { orDamaged } from './faults.ts'
import type { SchemaTexts } from './schema-texts.ts'

/** The table that the build writes: what was compiled from each lazy schema, by number. */
export interface SchemaTable {
  /** Names of the members of lazy schemas. */
  readonly shapes: readonly (readonly string[])[]
  readonly settings: SettingsTable
  /** The option with which route schemas were normalized. */
  readonly jsonShorthand: boolean
  /** The common parts of rows, which keep the table short: an engine parses it at each start. */
  readonly forms: readonly RowForm[]
  /**
   * One line per schema, with what was compiled from it as tab-separated rows. A row is the number of a form, a space, and the
   * comma-separated positions of functions: for a route one per target of the form, for a part its own.
   */
  readonly rows: string
}

/**
 * Routes: `r`, the number of the settings of request parts and that of responses (0 for none), and how headers are read. Parts: `p`, the
 * number of the settings, and the name of the part (`-` for responses). Separated by spaces, with one at the end.
 */
export type RowForm = readonly [about: string, targets: readonly RowTarget[]]

/** A request part, or a status with or without a media type. */
export type RowTarget = readonly [partOrStatus: string, contentType?: string]

export interface DeploymentSchemas {
  /** Returns a new lazy schema. */
  schema(nth: number, shape: number): object
  /** Returns the artifact with the functions of lazy schemas. */
  known(artifact: Artifact): Artifact
}

export function openSchemas(table: SchemaTable, texts: SchemaTexts): DeploymentSchemas {
  const { forms, jsonShorthand } = table
  const rows = table.rows.split('\n')
  /** Beginnings of rows, by the beginning of their form. */
  const beginnings = new Map<string, readonly string[]>()
  const findNumber = createSettingsIndex(table.settings)
  const numbers = new Map<UnitFactory, number>()
  const shapes: Shape[] = []
  const source: LazySchemaSource = {
    read: (nth) => orDamaged(() => texts.read(nth)),
    isRoute: (nth, given) => given === jsonShorthand && startOf(nth, 'r') !== NOWHERE,
    isPart: (nth) => startOf(nth, 'p') !== NOWHERE,
  }
  return { schema, known }

  function schema(nth: number, shape: number): object {
    const created = (shapes[shape] ??= createShape(table.shapes[shape] as readonly string[]))
    return createLazySchema(source, nth, created)
  }

  function known(artifact: Artifact): Artifact {
    return {
      ...artifact,
      findRoute: routeFinder(artifact),
      ofLazySchema: (part, units, httpPart) => digestOfPart(artifact, part, units, httpPart),
      verify() {
        artifact.verify()
        orDamaged(() => texts.check())
      },
    }
  }

  function routeFinder(artifact: Artifact): FindRoute {
    return (route) => {
      const lazySchema = untouchedRoute(route.schema)
      const isOurs = lazySchema?.source === source && lazySchema.finish !== undefined
      const nth = isOurs ? lazySchema.nth : NOWHERE
      const start = isOurs ? startOf(nth, formOf(route.binding, lazySchema.shape)) : NOWHERE
      if (start !== NOWHERE) return functionsAt.bind(null, artifact, nth, start)
      return hasLazySchema(route.schema) ? undefined : artifact.findRoute(route)
    }
  }

  /** Returns the beginning of a route's form. */
  function formOf({ factories, isCustom }: RouteBinding, { parts }: Shape): string {
    const headers = parts.includes('headers') ? headersKey(isCustom) : NO_HEADERS
    return `r${numberOf(factories.validators)} ${numberOf(factories.serializers)} ${headers} `
  }

  function functionsAt(artifact: Artifact, nth: number, start: number): readonly RouteFunction[] {
    const [form = '', positions = ''] = rowAt(nth, start).split(' ')
    const [, targets] = forms[Number(form)] as RowForm
    const places = positions.split(',')
    return targets.map(([name, contentType], i) => {
      const target = {
        ...(routeParts.has(name) ? { httpPart: name as HttpPart } : { httpStatus: name }),
        ...(contentType !== undefined && { contentType }),
      }
      // The schema itself isn't needed.
      return { target, digest: artifact.digestAt(Number(places[i])), schema: null }
    })
  }

  function digestOfPart(
    artifact: Artifact,
    part: object,
    units: UnitFactory,
    httpPart: string | undefined,
  ): Digest | undefined {
    const lazySchema = untouchedPart(part)
    if (lazySchema?.source !== source) return undefined
    const start = startOf(lazySchema.nth, `p${numberOf(units)} ${httpPart ?? NO_PART} `)
    if (start === NOWHERE) return undefined
    const [, position] = rowAt(lazySchema.nth, start).split(' ')
    return artifact.digestAt(Number(position))
  }

  /** Returns where in a schema's line the row starts whose form begins like this. */
  function startOf(nth: number, form: string): number {
    const line = rows[nth] as string
    for (const beginning of beginningsOf(form)) {
      if (line.startsWith(beginning)) return 0
      const after = line.indexOf(`\t${beginning}`)
      if (after !== -1) return after + 1
    }
    return NOWHERE
  }

  function beginningsOf(form: string): readonly string[] {
    let found = beginnings.get(form)
    if (found === undefined) {
      found = forms.flatMap(([about], i) => (about.startsWith(form) ? `${i} ` : []))
      beginnings.set(form, found)
    }
    return found
  }

  function rowAt(nth: number, start: number): string {
    const line = rows[nth] as string
    const end = line.indexOf('\t', start)
    return line.slice(start, end === -1 ? undefined : end)
  }

  function numberOf(units: UnitFactory | undefined): number {
    if (units === undefined) return 0
    let number = numbers.get(units)
    if (number === undefined) {
      number = findNumber(units)
      numbers.set(units, number)
    }
    return number
  }

  function hasLazySchema({ body, querystring, params, response }: RouteSchema): boolean {
    if (isOurs(body) || isOurs(querystring) || isOurs(params)) return true
    return typeof response === 'object' && response !== null
      ? Object.values(response).some(isOurs)
      : false
  }

  function isOurs(part: unknown): boolean {
    return typeof part === 'object' && part !== null && untouchedPart(part)?.source === source
  }
}

/** How a route reads headers, in a form. */
export function headersKey(isCustom: boolean): string {
  return isCustom ? 'as-they-are' : 'lower-case'
}

/** Used for a route without a schema for headers. */
export const NO_HEADERS = '-'

/** Replaces the name of the part in the form of a response. */
export const NO_PART = '-'

const NOWHERE = -1
