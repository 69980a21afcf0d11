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
  /** The rows of each schema, which list its compiled functions, as JSON. */
  readonly rows: string
}

/** The number of a form, and the positions of functions: for a route one per target of the form, for a part its own. */
type Row = readonly [form: number, ...positions: readonly number[]]

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
  const rows = JSON.parse(table.rows) as readonly (readonly Row[])[]
  const findNumber = createSettingsIndex(table.settings)
  const numbers = new Map<UnitFactory, number>()
  const shapes: Shape[] = []
  const source: LazySchemaSource = {
    read: (nth) => orDamaged(() => texts.read(nth)),
    isRoute: (nth, given) => given === jsonShorthand && rowOf(nth, 'r') !== undefined,
    isPart: (nth) => rowOf(nth, 'p') !== undefined,
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
    return (schema, binding) => {
      const lazySchema = untouchedRoute(schema)
      const isOurs = lazySchema?.source === source && lazySchema.finish !== undefined
      const row = isOurs ? rowOf(lazySchema.nth, formOf(binding, lazySchema.shape)) : undefined
      if (row !== undefined) return () => functionsOf(artifact, row)
      return hasLazySchema(schema) ? undefined : artifact.findRoute(schema, binding)
    }
  }

  /** Returns the beginning of a route's form. */
  function formOf({ factories, isCustom }: RouteBinding, { parts }: Shape): string {
    const headers = parts.includes('headers') ? headersKey(isCustom) : NO_HEADERS
    return `r${numberOf(factories.validators)} ${numberOf(factories.serializers)} ${headers} `
  }

  function functionsOf(artifact: Artifact, [form, ...positions]: Row): readonly RouteFunction[] {
    const [, targets] = forms[form] as RowForm
    return targets.map(([name, contentType], i) => {
      const target = {
        ...(routeParts.has(name) ? { httpPart: name as HttpPart } : { httpStatus: name }),
        ...(contentType !== undefined && { contentType }),
      }
      // The schema itself isn't needed.
      return { target, digest: artifact.digestAt(positions[i] as number), schema: null }
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
    const [, position] = rowOf(lazySchema.nth, `p${numberOf(units)} ${httpPart ?? NO_PART} `) ?? []
    return position === undefined ? undefined : artifact.digestAt(position)
  }

  /** Returns the row of a schema whose form begins like this. */
  function rowOf(nth: number, start: string): Row | undefined {
    return rows[nth]?.find(([form]) => forms[form]?.[0].startsWith(start))
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

  /** Returns whether a part has a function of its own here. Headers don't: their names are changed to lower case. */
  function hasLazySchema({ body, querystring, params, response }: RouteSchema): boolean {
    if (isOurs(body) || isOurs(querystring) || isOurs(params)) return true
    return typeof response === 'object' && response !== null && Object.values(response).some(isOurs)
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
