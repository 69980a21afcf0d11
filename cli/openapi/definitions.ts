/**
 * Turns `definitions` into components, because @fastify/swagger leaves references to them dangling.
 *
 * The definition `name` of the shared schema `book` becomes the shared schema `book.name`. Definitions in a part of a route are named
 * after the route. If several contexts add a schema with one `$id`, each gets its own name: the plugin knows one schema per name.
 */
import { schemaTables } from '../../runtime/artifact/keywords.ts'
import { addressOf } from '../../runtime/artifact/reach.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { sharedSchemas } from '../../compiler/5-artifact/read/schemas.ts'
import { isWithin } from '../../compiler/report/context-path.ts'
import { findMember, isMembers, pointerOf } from '../../compiler/util/json.ts'
import type { Members } from '../../compiler/util/json.ts'

/** Stands for `examples` of schemas, which the plugin replaces by the `example` of OpenAPI 3.0. */
export const HIDDEN_EXAMPLES = 'framework:examples'

/** Returns the manifest with all `definitions` replaced, and `examples` hidden. */
export function liftDefinitions(manifest: Manifest): Manifest {
  const schemas: Record<string, unknown> = { ...manifest.schemas }
  const names = uniqueNames(manifest)
  const scopeOf = (context: string): Scope => {
    const visible = manifest.contexts.filter((one) => isWithin(context, one.context))
    return {
      shared: sharedSchemas(manifest, context),
      names: Object.assign({}, ...visible.map((one) => names.get(one.context))) as Names,
    }
  }
  const byContext = new Map<string, Record<string, { schema: string; at: string }>>()
  const routes = manifest.routes.map((route) => {
    // HEAD routes aren't described.
    const isHead = route.method === 'HEAD' && route.methods === undefined
    if (route.schema === undefined || isHead) return route
    const [method = route.method] = route.methods?.split(', ') ?? []
    const scope = scopeOf(route.context)
    const routeDefinitions = { ...byContext.get(route.context) }
    byContext.set(route.context, routeDefinitions)
    const liftPart = (part: string, name: string): string => {
      const base = [method.toLowerCase(), ...route.url.split(/\W+/), part].filter(Boolean).join('-')
      const lifted = lift(schemas[name], base, scope, false)
      const key = `${route.context}\n${base}`
      schemas[key] = lifted.schema
      for (const [id, schema] of Object.entries(lifted.definitions)) {
        schemas[`${route.context}\n${id}`] = schema
        routeDefinitions[id] = { schema: `${route.context}\n${id}`, at: route.at }
      }
      return key
    }
    const liftAll = (names: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(names).map(([part, name]) => [part, liftPart(part, name)]))
    const { parts, responses, about } = route.schema
    return { ...route, schema: { about, parts: liftAll(parts), responses: liftAll(responses) } }
  })
  const contexts = manifest.contexts.map((one) => {
    const scope = scopeOf(one.context)
    const shared = { ...byContext.get(one.context) }
    for (const [id, { schema: name, at }] of Object.entries(one.shared)) {
      const unique = scope.names[id] ?? id
      const lifted = lift(schemas[name], unique, scope, true)
      const all = { ...lifted.definitions, [unique]: lifted.schema }
      for (const [inner, schema] of Object.entries(all)) {
        const key = `${one.context}\n${inner}`
        schemas[key] = schema
        shared[inner] = { schema: key, at }
      }
    }
    return { ...one, shared, schemas: Object.keys(shared) }
  })
  return { ...manifest, schemas, contexts, routes }
}

type Names = Readonly<Record<string, string>>

/** The schemas that a `$ref` may name. */
interface Scope {
  readonly shared: Members
  /** Component names of shared schemas, by `$id`. */
  readonly names: Names
}

/** Returns unique component names for the shared schemas that a context adds, by context. */
function uniqueNames({ contexts }: Manifest): ReadonlyMap<string, Names> {
  const used = new Set<string>()
  const unique = (id: string): string => {
    let name = id
    for (let i = 2; used.has(name); i++) name = id.replace(/#?$/, `-${i}`)
    used.add(name)
    return name
  }
  return new Map(
    contexts.map(({ context, shared }) => [
      context,
      Object.fromEntries(Object.keys(shared).map((id) => [id, unique(id)])),
    ]),
  )
}

interface Lifted {
  readonly schema: unknown
  /** By `$id`. */
  readonly definitions: Readonly<Record<string, unknown>>
}

/** @param id the schema's name in the document */
function lift(original: unknown, id: string, { shared, names }: Scope, isShared: boolean): Lifted {
  const definitions: Record<string, unknown> = {}
  let refersToItself = false
  const schema = visit(original, original)
  if (!refersToItself || isShared || !isMembers(schema)) return { schema, definitions }
  definitions[id] = { ...schema, $id: id }
  return { schema: { $ref: `${id}#` }, definitions }

  /**
   * @param document the document that fragment-only references belong to
   * @param isTable true for a table of schemas, whose names aren't keywords
   */
  function visit(value: unknown, document: unknown, isTable = false): unknown {
    if (Array.isArray(value)) return value.map((one) => visit(one, document))
    if (!isMembers(value)) return value
    // The schema of a media type is its own document.
    const isMediaType = value !== document && isMembers(value['schema'])
    const rest: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      if (isTable) rest[key] = visit(member, document)
      else if ((key === 'definitions' || key === '$defs') && isMembers(member)) {
        for (const [name, one] of Object.entries(member)) {
          const lifted = visit(one, document)
          const $id = idOf(id, name)
          definitions[$id] = isMembers(lifted) ? { ...lifted, $id } : lifted
        }
      } else if (key === 'examples' && Array.isArray(member)) {
        rest[HIDDEN_EXAMPLES] = member
      } else if (key === '$ref' && typeof member === 'string') {
        rest[key] = refTo(member, document)
      } else if (key === 'schema' && isMediaType) rest[key] = visit(member, member)
      else if (key === '$id' && value === original && isShared) rest[key] = id
      else if (key !== '$id' || !String(member).startsWith('#'))
        rest[key] = visit(member, document, schemaTables.has(key))
    }
    return rest
  }

  function refTo(ref: string, document: unknown): string {
    const [name = '', fragment = ''] = ref.split('#')
    const found = Object.keys(shared).find((one) => addressOf(one) === addressOf(name))
    const owner = name === '' ? id : found && names[found]
    if (owner === undefined) return ref
    const target = name === '' ? document : shared[found ?? '']
    const isPointer = fragment === '' || fragment.startsWith('/')
    const pointer = isPointer ? fragment : pointerTo(target, `#${fragment}`)
    const [, inner, rest = ''] =
      /^\/(?:definitions|\$defs)\/([^/]+)(\/.*)?$/.exec(pointer ?? '') ?? []
    if (inner !== undefined) return `${idOf(owner, inner)}#${rest}`
    if (pointer === undefined) return ref
    refersToItself ||= name === ''
    return `${owner.replace(/#$/, '')}#${pointer}`
  }
}

function idOf(owner: string, name: string): string {
  return `${owner.replace(/#$/, '')}.${name}`
}

/** Returns the JSON pointer to the schema with that `$id`. */
function pointerTo(target: unknown, id: string): string | undefined {
  const path = findMember(target, (key, value) => key === '$id' && value === id)
  return path && pointerOf(path.slice(0, -1))
}
