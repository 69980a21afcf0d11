/**
 * Values of the application (formats and keywords that are functions) in code that is compiled ahead of time:
 * the artifact imports them from the application's own modules.
 */
import type { Ajv } from 'ajv'
import type { ImportRef } from '../model.ts'
import { EmitError } from './errors.ts'
import { knownCall } from './known-keywords.ts'
import type { LiveValue } from './link.ts'
import type { AddedValue, MadeFunction } from './recording-ajv.ts'
import { identifier, literal, member, property } from './source.ts'
import { usesThis } from './uses-this.ts'

/** Values that this process has imported, and from where. */
export type Origins = ReadonlyMap<unknown, ImportRef>

/** Where to find a value: an origin, and the way from what it exports. */
interface Place {
  readonly ref: ImportRef
  readonly path: readonly string[]
}

/** What takes the place of live values. */
export interface SettledValues {
  /** Statements that define them, to stand before those of the unit. */
  readonly code: string
  readonly imports: readonly string[]
  readonly userImports: readonly { readonly local: string; readonly ref: ImportRef }[]
}

/** How deep functions may lie in what a module exports: a list of keywords is two. */
const DEPTH = 4

export function createUserValues(
  origins: Origins,
): (liveValues: readonly LiveValue[]) => SettledValues {
  let places: ReadonlyMap<unknown, Place> | undefined
  return settle

  /** Throws an EmitError for a value that no module exports. */
  function settle(liveValues: readonly LiveValue[]): SettledValues {
    const lines: string[] = []
    const imports: string[] = []
    const userImports: { local: string; ref: ImportRef }[] = []
    for (const live of liveValues) lines.push(`const ${identifier(live.local)}=${code(live)};`)
    return { code: lines.join('\n'), imports, userImports }

    function code(live: LiveValue): string {
      if (live.local === 'self') return selfCode(live, imported)
      const { made, added, title, value } = live
      if (made === undefined) return imported(value, added, title)
      const known = knownCall(made)
      if (known === undefined) {
        return `${imported(made.compile, added, title)}(${argumentsOf(made, title)})`
      }
      imports.push(known.name)
      return known.code
    }

    function imported(value: unknown, added: AddedValue | undefined, title: string): string {
      places ??= findPlaces(origins)
      const place = places.get(value)
      checkIndependence(value, title)
      if (place !== undefined) return fromModule(place)
      const plugin = places.get(added?.plugin)
      if (added === undefined || plugin === undefined) {
        if (isDefinition(value)) return definitionOf(value, title)
        throw new EmitError(
          `the ${title} is a function that no module exports, so it cannot be compiled ahead of time`,
        )
      }
      imports.push('pluginParts')
      const given = [fromModule(plugin), ...added.options.map(literal)]
      return `pluginParts(${given.join()})${added.path.map(member).join('')}`
    }

    /** A format may be an object with a function in it, which the options have put together. */
    function definitionOf(definition: object, title: string): string {
      const members = Object.entries(definition).map(([name, value]) => {
        const isFunction = typeof value === 'function'
        return `${property(name)}:${isFunction ? imported(value, undefined, title) : literal(value)}`
      })
      return `{${members.join()}}`
    }

    function fromModule(place: Place): string {
      let entry = userImports.find(({ ref }) => ref === place.ref)
      if (entry === undefined) {
        entry = { local: `userModule${userImports.length}`, ref: place.ref }
        userImports.push(entry)
      }
      return entry.local + place.path.map(member).join('')
    }
  }
}

function isDefinition(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Object.getPrototypeOf(value) === Object.prototype
}

/** Of the instance of Ajv only the option `$comment` is needed: what needs more has been refused. */
function selfCode(
  { title, value }: LiveValue,
  imported: (value: unknown, added: undefined, title: string) => string,
): string {
  if (title === 'instance of Ajv') return 'undefined'
  const { $comment } = (value as Ajv).opts
  if (typeof $comment === 'function')
    return `{opts:{$comment:${imported($comment, undefined, title)}}}`
  throw new EmitError(`the ${title} writes to a log of Ajv, so it cannot be compiled ahead of time`)
}

function argumentsOf({ compile, schema, parentSchema }: MadeFunction, title: string): string {
  if (compile.length > 2) {
    throw new EmitError(
      `\`compile\` of the ${title} asks Ajv about its surroundings, so it cannot be compiled ahead of time`,
    )
  }
  return `${literal(schema)},${literal(parentSchema)}`
}

/** A function that uses `this` wants the instance of Ajv, and of others we cannot tell. */
function checkIndependence(value: unknown, title: string): void {
  const functions = typeof value === 'object' ? Object.values(value as object) : [value]
  for (const candidate of functions) {
    if (typeof candidate === 'function' && usesThis(candidate)) {
      throw new EmitError(
        `the ${title} uses \`this\`, which is an Ajv that an artifact does not have, so it cannot be compiled ahead of time`,
      )
    }
  }
}

function findPlaces(origins: Origins): Map<unknown, Place> {
  const places = new Map<unknown, Place>()
  for (const [value, ref] of origins) visit(value, { ref, path: [] })
  return places

  function visit(value: unknown, place: Place): void {
    const isFunction = typeof value === 'function'
    if ((!isFunction && (typeof value !== 'object' || value === null)) || places.has(value)) return
    places.set(value, place)
    if (isFunction || place.path.length === DEPTH) return
    for (const [key, inner] of Object.entries(value)) {
      visit(inner, { ref: place.ref, path: [...place.path, key] })
    }
  }
}
