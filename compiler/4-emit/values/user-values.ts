/** Defines the names for functions of the application in generated code: formats and keywords, which artifacts take from its options. */
import type { Ajv } from 'ajv'
import type { ImportRef } from '../../model/index.ts'
import { membersRead, type MemberPath, type Subject } from './member-reads.ts'
import { EmitError, rephrase } from '../errors.ts'
import { loadedCopies } from './loaded-packages.ts'
import type { MemoryValue } from './emitted-code.ts'
import type { AddedValue, MadeFunction } from './recording-ajv.ts'
import { identifier, literal, member, property } from '../../util/literal.ts'
import { ajvOf, createStub } from './stub.ts'

/** Values that this process has imported, with their origins. */
export type Origins = ReadonlyMap<unknown, ImportRef>

/** Where to find a value: an origin, and the path in what it exports. */
interface Place {
  readonly ref: ImportRef
  readonly path: readonly string[]
}

/** Statements that replace memory values. */
export interface ValueDefinitions {
  /** Definitions, which come before the statements of the unit. */
  readonly code: string
  readonly imports: readonly string[]
  readonly userImports: readonly { readonly local: string; readonly ref: ImportRef }[]
}

/** How deep in exports functions are searched for. A list of keywords needs two. */
const MAX_DEPTH = 4

export function createUserValues(
  origins: Origins,
): (memoryValues: readonly MemoryValue[]) => ValueDefinitions {
  let places: ReadonlyMap<unknown, Place> | undefined
  return define

  /** Throws an EmitError for a value that no module exports. */
  function define(memoryValues: readonly MemoryValue[]): ValueDefinitions {
    const lines: string[] = []
    const imports: string[] = []
    const userImports: { local: string; ref: ImportRef }[] = []
    const self = memoryValues.find(({ local }) => local === 'self')
    for (const one of memoryValues) lines.push(`const ${identifier(one.local)}=${code(one)};`)
    return { code: lines.join('\n'), imports, userImports }

    function code(one: MemoryValue): string {
      if (one === self) return selfCode(one.value as Ajv)
      const { made, added, title, value } = one
      if (made === undefined) return imported(value, added, title)
      if (!isFileCheck(made)) return madeCode(made, added, title)
      imports.push('isFile')
      return 'isFile'
    }

    /** Writes a stub of the Ajv, with the members that functions of the application and `$comment` read. */
    function selfCode(ajv: Ajv): string {
      const called = memoryValues.filter((one) => one.isCalledOnAjv && !isFileCheck(one.made))
      const paths = called.flatMap(({ value, title }) => membersOfThis(value, title))
      const all = [...paths, ...membersForComments(ajv)]
      if (all.length === 0) return 'undefined'
      return titled('Ajv', () => createStub({ value: ajvOf(ajv), paths: all, name: 'this' }, own))
    }

    function madeCode(made: MadeFunction, added: AddedValue | undefined, title: string): string {
      const { compile, schema, parentSchema, context, ajv } = made
      const args = [literal(schema), literal(parentSchema)]
      const onAjv = membersOfThis(compile, title)
      const ofContext = membersOf(compile, { parameter: 2 }, title)
      if (ofContext.length > 0) {
        const value = { ...context, self: ajvOf(ajv) }
        args.push(titled(title, () => createStub({ value, paths: ofContext, name: 'it' }, own)))
      }
      const callee = imported(compile, added, title)
      if (onAjv.length === 0) return `${callee}(${args.join()})`
      const read = { value: ajvOf(ajv), paths: onAjv, name: 'this' }
      return `${callee}.call(${titled(title, () => createStub(read, own))},${args.join()})`
    }

    /** Writes a function of the application that a stub contains. */
    function own(value: unknown): string {
      return imported(value, undefined, 'function')
    }

    function imported(value: unknown, added: AddedValue | undefined, title: string): string {
      places ??= findPlaces(origins)
      const place = places.get(value)
      if (place !== undefined) return fromModule(place)
      const plugin = places.get(added?.plugin)
      if (added === undefined || plugin === undefined) {
        if (isDefinition(value)) return definitionOf(value, title)
        throw new EmitError(
          `the ${title} is a function that no module exports, so it cannot be compiled ahead of time`,
        )
      }
      imports.push('pluginParts')
      const args = [fromModule(plugin), ...added.options.map(literal)]
      return `pluginParts(${args.join()})${added.path.map(member).join('')}`
    }

    /** Writes a format that is an object with functions. */
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

/** Recognises `ajvFilePlugin` of @fastify/multipart 8. Compares texts, because the plugin creates its function for each Ajv. */
function isFileCheck(made: MadeFunction | undefined): boolean {
  if (made?.keyword !== 'isFile') return false
  return loadedCopies('@fastify/multipart/index.js').some(({ version, exports }) => {
    const definitions: { compile?: unknown }[] = []
    const { ajvFilePlugin } = exports as { ajvFilePlugin?(ajv: object): unknown }
    ajvFilePlugin?.({ addKeyword: (one: object) => definitions.push(one) })
    return version.startsWith('8.') && String(definitions[0]?.compile) === String(made.compile)
  })
}

function titled(title: string, code: () => string): string {
  return rephrase(code, (why) => `the ${title} cannot be compiled ahead of time: ${why}`)
}

function isDefinition(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Object.getPrototypeOf(value) === Object.prototype
}

function membersOfThis(value: unknown, title: string): readonly MemberPath[] {
  return typeof value === 'function' ? membersOf(value, 'this', title) : []
}

function membersOf(value: Function, subject: Subject, title: string): readonly MemberPath[] {
  const paths = membersRead(value, subject)
  if (paths !== undefined) return paths
  const does =
    subject === 'this'
      ? `the ${title} does more with \`this\`, which is an Ajv,`
      : `\`compile\` of the ${title} does more with its third parameter`
  throw new EmitError(`${does} than read members by name, so it can't be compiled ahead of time`)
}

/** Returns the members that generated code itself reads of an Ajv, for `$comment`. */
function membersForComments({ opts }: Ajv): readonly MemberPath[] {
  if (!opts.$comment) return []
  return [typeof opts.$comment === 'function' ? ['opts', '$comment'] : ['logger']]
}

function findPlaces(origins: Origins): Map<unknown, Place> {
  const places = new Map<unknown, Place>()
  for (const [value, ref] of origins) visit(value, { ref, path: [] })
  return places

  function visit(value: unknown, place: Place): void {
    const isFunction = typeof value === 'function'
    if ((!isFunction && (typeof value !== 'object' || value === null)) || places.has(value)) return
    places.set(value, place)
    if (isFunction || place.path.length === MAX_DEPTH) return
    for (const [key, inner] of Object.entries(value)) {
      visit(inner, { ref: place.ref, path: [...place.path, key] })
    }
  }
}
