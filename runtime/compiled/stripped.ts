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
  /** What rows have in common: most have nothing of their own but numbers, and an engine reads each letter at each start. */
  readonly forms: readonly RowForm[]
  /**
   * A line for each schema: what was compiled of it, separated by tabs. Each is the number of a form and, after a space, the positions
   * of functions, separated by commas: of a route those of the form's targets, of a part its own.
   */
  readonly rows: string
}

/**
 * Of a route `r`, the numbers of the settings of its request parts and of its responses (0 for none), and how it reads headers; of a
 * part `p`, the number of its settings and its name (`-` for a response). Separated by spaces, with one at the end.
 */
export type RowForm = readonly [about: string, targets: readonly RowTarget[]]

/** A request part, or a status with or without a media type. */
export type RowTarget =
  | readonly [part: string]
  | readonly [status: string, contentType: string | null]

/** The schemas of one deployment. */
export interface StrippedSchemas {
  /** What stands for a schema. */
  schema(nth: number, shape: number): object
  /** The artifact, which knows handles by their numbers. */
  known(artifact: Artifact): Artifact
}

export function openSchemas(table: SchemaTable, texts: SchemaTexts): StrippedSchemas {
  const { forms, jsonShorthand } = table
  const rows = table.rows.split('\n')
  /** How rows begin, by how their forms do. */
  const beginnings = new Map<string, readonly string[]>()
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
    const [form = '', positions = ''] = rowAt(nth, start).split(' ')
    const [, targets] = forms[Number(form)] as RowForm
    const places = positions.split(',')
    return targets.map(([name, contentType], i) => {
      const target =
        contentType === undefined
          ? { httpPart: name as 'body' }
          : { httpStatus: name, ...(contentType !== null && { contentType }) }
      // It is what its JSON says.
      return { target, digest: artifact.digestAt(Number(places[i])), schema: null }
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
    if (start === NOWHERE) return undefined
    const [, position] = rowAt(handle.nth, start).split(' ')
    return artifact.digestAt(Number(position))
  }

  /** Where in the line of a schema a row starts whose form begins so. */
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
