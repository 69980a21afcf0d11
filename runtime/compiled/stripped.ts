/** What a deployment knows of the schemas whose literals it does not carry. */
import type {
  Artifact,
  Digest,
  RouteBinding,
  RouteCheck,
  RouteFunction,
  RouteLines,
} from '../artifact/index.ts'
import type { Handle, HandleSource, Shape } from '../artifact/handles/index.ts'
import {
  createHandle,
  createShape,
  untouchedPart,
  untouchedRoute,
} from '../artifact/handles/index.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { SettingsTable } from '../artifact/settings.ts'
import { createSettingsIndex } from '../artifact/settings.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { orDamaged } from './faults.ts'
import type { SchemaTexts } from './schema-texts.ts'

/** What the build says of the schemas that handles stand for, by their numbers. */
export interface SchemaTable {
  /** The names of the members of handles. */
  readonly shapes: readonly (readonly string[])[]
  readonly settings: SettingsTable
  /** How route schemas were normalised. */
  readonly jsonShorthand: boolean
  /**
   * A line for each schema: what was compiled of it, separated by tabs. Of a route `r`, the numbers of the settings of its
   * request parts and of its responses (0 for none), how it reads headers, separated by spaces, and a `FunctionRow[]` as
   * JSON. Of a part `p`, the number of its settings, its name (`-` for a response), and the position of its function.
   */
  readonly rows: string
}

/** A request part, or a status with or without a media type; then the position of its function. */
export type FunctionRow =
  | readonly [part: string, position: number]
  | readonly [status: string, contentType: string | null, position: number]

/** The schemas of one deployment. */
export interface StrippedSchemas {
  /** What stands for a schema. */
  schema(nth: number, shape: number): object
  /** The artifact, which knows handles by their numbers. */
  known(artifact: Artifact): Artifact
}

export function openSchemas(table: SchemaTable, texts: SchemaTexts): StrippedSchemas {
  const { jsonShorthand } = table
  const rows = table.rows.split('\n')
  const findNumber = createSettingsIndex(table.settings)
  const numbers = new Map<UnitFactory, number>()
  const shapes: Shape[] = []
  const source: HandleSource = {
    read: (nth) => orDamaged(() => texts.read(nth)),
    isRoute: (nth, given) => given === jsonShorthand && startOf(nth, 'r') !== NOWHERE,
    isPart: (nth) => startOf(nth, 'p') !== NOWHERE,
  }
  return { schema, known }

  function schema(nth: number, shape: number): object {
    const made = (shapes[shape] ??= createShape(table.shapes[shape] as readonly string[]))
    return createHandle(source, nth, made)
  }

  function known(artifact: Artifact): Artifact {
    return {
      ...artifact,
      routes: routeCheck(artifact),
      ofHandle: (part, units, httpPart) => digestOfPart(artifact, part, units, httpPart),
      verify() {
        artifact.verify()
        orDamaged(() => texts.check())
      },
    }
  }

  function routeCheck(artifact: Artifact): RouteCheck {
    const { routes } = artifact
    const lines: RouteLines = {
      functionsOf: (nth, start) => functionsAt(artifact, nth, start),
    }
    const keyOf = createRouteKeys(numberOf)
    return {
      add(route) {
        const handle = route.handle ?? untouchedRoute(route.schema)
        const isOurs = handle?.source === source && handle.finish !== undefined
        const start = isOurs ? startOf(handle.nth, keyOf(route.binding, handle.shape)) : NOWHERE
        if (start !== NOWHERE) route.found(lines, (handle as Handle).nth, start, NOTHING, 0)
        else if (holdsHandle(route.schema)) routes.addEach(route)
        else routes.add(route)
      },
      addEach: (route) => routes.addEach(route),
      settle: () => routes.settle(),
    }
  }

  function functionsAt(artifact: Artifact, nth: number, start: number): readonly RouteFunction[] {
    return (JSON.parse(rowAt(nth, start)) as FunctionRow[]).map((row) => {
      const digest = artifact.digestAt(row.at(-1) as number)
      const [name, contentType] = row
      const target =
        row.length === 2
          ? { httpPart: name as 'body' }
          : {
              httpStatus: name,
              ...(contentType !== null && { contentType: contentType as string }),
            }
      // It is what its JSON says.
      return { target, digest, schema: null }
    })
  }

  function digestOfPart(
    artifact: Artifact,
    part: object,
    units: UnitFactory,
    httpPart: string | undefined,
  ): Digest | undefined {
    const handle = untouchedPart(part)
    if (handle?.source !== source) return undefined
    const start = startOf(handle.nth, `p${numberOf(units)} ${httpPart ?? NO_PART} `)
    return start === NOWHERE ? undefined : artifact.digestAt(Number(rowAt(handle.nth, start)))
  }

  /** Where in the line of a schema the rest of what begins so stands. */
  function startOf(nth: number, beginning: string): number {
    const line = rows[nth] as string
    let at = 0
    while (!line.startsWith(beginning, at)) {
      at = line.indexOf('\t', at) + 1
      if (at === 0) return NOWHERE
    }
    return at + beginning.length
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

  function holdsHandle({ body, querystring, params, response }: RouteSchema): boolean {
    if (isOurs(body) || isOurs(querystring) || isOurs(params)) return true
    return typeof response === 'object' && response !== null
      ? Object.values(response).some(isOurs)
      : false
  }

  function isOurs(part: unknown): boolean {
    return typeof part === 'object' && part !== null && untouchedPart(part)?.source === source
  }
}

/**
 * Makes the function that gives what the row of a route begins with.
 *
 * @param numberOf gives the number of settings
 */
function createRouteKeys(
  numberOf: (units: UnitFactory | undefined) => number,
): (binding: RouteBinding, shape: Shape) => string {
  // Those of the last route: neighbours mostly have the same.
  let lastBinding: RouteBinding | undefined
  let lastShape: Shape | undefined
  let key = ''
  return (binding, shape) => {
    if (binding !== lastBinding || shape !== lastShape) {
      const { factories, isCustom } = binding
      const headers = shape.parts.includes('headers') ? headersKey(isCustom) : NO_HEADERS
      key = `r${numberOf(factories.validators)} ${numberOf(factories.serializers)} ${headers} `
      lastBinding = binding
      lastShape = shape
    }
    return key
  }
}

/** How a route reads headers, in a row. */
export function headersKey(isCustom: boolean): string {
  return isCustom ? 'as-they-are' : 'lower-case'
}

/** The same of a route without a schema for headers. */
export const NO_HEADERS = '-'

/** Instead of a part, in the row of a response. */
export const NO_PART = '-'

const NOWHERE = -1
const NOTHING: readonly unknown[] = []
