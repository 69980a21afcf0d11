/** Finds the schemas that a compiler reaches from one, including by references, and the references that lead nowhere. */
import type { CompileUnit } from '../../../runtime/artifact/index.ts'
import { schemaKeywords, schemaTables } from '../../../runtime/artifact/keywords.ts'
import { addressOf } from '../../../runtime/artifact/reach.ts'
import { fragmentPath, isMembers, valueAt, type Members, type Path } from '../../util/json.ts'
import type { Document } from './documents.ts'

/** A place in a document. */
export interface Spot {
  readonly document: Document
  readonly path: Path
}

export interface ReachedSchema extends Spot {
  readonly schema: Members
}

/** `path` leads to a `$ref` that points to nothing. */
export interface BrokenRef extends Spot {
  readonly ref: string
  /** The document that it names, which has no such member; `undefined` if there is no such document. */
  readonly target: Document | undefined
}

interface Reach {
  /** In the order of the source, depth first. */
  readonly schemas: readonly ReachedSchema[]
  readonly broken: readonly BrokenRef[]
}

/** A document, or a schema with an `$id` in it: the base of references. */
interface Scope extends Spot {
  readonly id: string
}

/**
 * @param shared shared schemas that the context of `part` sees
 * @param kind for validators, Ajv compiles all of a shared schema that a reference names, whatever the reference points to in it
 */
export function reachOf(
  part: Document,
  shared: readonly Document[],
  kind: CompileUnit['kind'],
): Reach {
  const schemas: ReachedSchema[] = []
  const broken: BrokenRef[] = []
  const seen = new Map<Document, Set<unknown>>()
  const documentScopes = new Map<Document, Scope>()
  /** By `$id`; the first one counts, as for compilers. */
  const byName = new Map<string, Scope>()
  for (const document of [...shared, part]) {
    const scope = { document, path: [], id: document.shared?.id ?? idOf(document.schema) ?? '' }
    documentScopes.set(document, scope)
    addByName(byName, scope)
  }
  let innerByName: ReadonlyMap<string, Scope> | undefined
  visit(...startOf(part))
  return { schemas, broken }

  function startOf(document: Document): [Scope, Path, unknown] {
    return [documentScopes.get(document) as Scope, [], document.schema]
  }

  function visit(around: Scope, path: Path, schema: unknown): void {
    const { document } = around
    if (!isMembers(schema)) return
    let seenSchemas = seen.get(document)
    if (seenSchemas === undefined) seen.set(document, (seenSchemas = new Set()))
    if (seenSchemas.has(schema)) return
    seenSchemas.add(schema)
    schemas.push({ document, path, schema })
    const innerId = path.length === 0 ? undefined : idOf(schema)
    const scope: Scope =
      innerId === undefined ? around : { document, path, id: resolve(innerId, around.id) }
    for (const [key, member] of Object.entries(schema)) {
      const memberPath = [...path, key]
      if (key === '$ref' && typeof member === 'string') follow(scope, memberPath, member)
      else if (schemaKeywords.has(key)) {
        if (!Array.isArray(member)) visit(scope, memberPath, member)
        else for (const [i, one] of member.entries()) visit(scope, [...memberPath, i], one)
      } else if (schemaTables.has(key) && isMembers(member)) {
        // Definitions are compiled where something refers to them.
        if (key === 'definitions' || key === '$defs') continue
        for (const [name, one] of Object.entries(member)) visit(scope, [...memberPath, name], one)
      }
    }
  }

  function follow(scope: Scope, path: Path, ref: string): void {
    // Compilers know the meta-schemas.
    if (ref.includes('json-schema.org/')) return
    const found = scopeOf(ref, scope)
    if (kind === 'validator' && found !== undefined) visit(...startOf(found.document))
    const target = found && targetIn(found, fragmentOf(ref))
    if (found !== undefined && target !== undefined) {
      visit(found, target, valueAt(found.document.schema, target))
    } else broken.push({ document: scope.document, path, ref, target: found?.document })
  }

  /** Finds the schema that a reference names before its `#`. */
  function scopeOf(ref: string, scope: Scope): Scope | undefined {
    if (addressOf(ref) === '') return byName.get(ref) ?? scope
    const name = nameOf(ref, scope.id)
    if (nameOf(scope.id) === name) return scope
    return byName.get(name) ?? (innerByName ??= innerScopes()).get(name)
  }

  /** Schemas with an `$id` inside of documents, which Ajv resolves from everywhere. */
  function innerScopes(): ReadonlyMap<string, Scope> {
    const found = new Map<string, Scope>()
    for (const { document, id } of documentScopes.values()) {
      for (const [path, innerId] of namesIn(document.schema, [])) {
        addByName(found, { document, path, id: resolve(innerId, id) })
      }
    }
    return found
  }

  /** Adds a scope unless it has no name or an earlier one has the same. */
  function addByName(scopes: Map<string, Scope>, scope: Scope): void {
    const name = scope.id.startsWith('#') ? scope.id : nameOf(scope.id)
    if (name !== '' && !scopes.has(name)) scopes.set(name, scope)
  }

  /** Returns the name that a compiler looks up: fast-json-stringify doesn't resolve names against a base. */
  function nameOf(ref: string, base?: string): string {
    return addressOf(ref) === '' || kind === 'serializer' ? addressOf(ref) : resolve(ref, base)
  }
}

/** The name of a document and all names inside of it, with their paths. */
export function* namesOf({ schema, shared }: Document): Iterable<readonly [Path, string]> {
  const id = shared?.id ?? idOf(schema) ?? ''
  yield [[], resolve(id)]
  for (const [path, name] of namesIn(schema, [])) yield [path, resolve(name, id)]
}

/** Each `$id` inside of a schema, except anchors, with its path. */
function* namesIn(value: unknown, path: Path): Iterable<readonly [Path, string]> {
  if (typeof value !== 'object' || value === null) return
  const id = path.length === 0 ? undefined : idOf(value)
  if (id !== undefined) yield [path, id]
  for (const [key, member] of Object.entries(value)) yield* namesIn(member, [...path, key])
}

function targetIn({ document, path }: Scope, fragment: string): Path | undefined {
  const schema = valueAt(document.schema, path)
  const inner = fragmentPath(schema, fragment)
  return inner && valueAt(schema, inner) !== undefined ? [...path, ...inner] : undefined
}

function fragmentOf(ref: string): string {
  const hash = ref.indexOf('#')
  return hash === -1 ? '' : ref.slice(hash + 1)
}

/** The `$id` of a schema, unless it is an anchor. */
function idOf(schema: unknown): string | undefined {
  const id = isMembers(schema) ? schema['$id'] : undefined
  return typeof id === 'string' && !id.startsWith('#') ? id : undefined
}

/** Base of relative names. `URL` can't resolve without one. */
const NOWHERE = 'nowhere://nowhere/'

/** Returns the URL that a name without its fragment means to Ajv, or that name if it can't be part of a URL. */
export function resolve(id: string, base = ''): string {
  const address = addressOf(id)
  const around = URL.canParse(base, NOWHERE) ? new URL(base, NOWHERE).href : NOWHERE
  return URL.canParse(address, around) ? addressOf(new URL(address, around).href) : address
}
