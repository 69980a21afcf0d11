/** Finds the shared schemas that a schema reaches by its references. */
import { toJson } from './json.ts'

export interface Reach {
  /** All `$id`s, sorted. */
  readonly all: readonly string[]
  /** Returns the shared schemas that a schema with this JSON reaches, directly or indirectly, sorted. */
  from(text: string): readonly string[]
  /** Returns the texts of these schemas, as parts of a digest. */
  textsOf(ids: readonly string[]): readonly string[]
}

const NONE: readonly string[] = []

/** Names without special characters. Others may have several spellings, such as percent-encoded ones. */
const PLAIN = /^\w[\w.-]*#?$/

/** Collects the `$id`s of subschemas. */
function innerIdsOf(schema: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (schema === null || typeof schema !== 'object') return found
  for (const member of Object.values(schema) as unknown[]) {
    const { $id } = (member ?? {}) as { $id?: unknown }
    if (typeof $id === 'string') found.add($id)
    innerIdsOf(member, found)
  }
  return found
}

/** Keywords that refer, as JSON text. An inline schema with the `$id` of a shared one is replaced by it. */
const REFERENCES = ['"$ref":"', '"$dynamicRef":"', '"$recursiveRef":"']
const ID = '"$id":"'

/** Keywords that name a schema, as JSON text. */
const NAMES = /"\$(?:id|anchor|dynamicAnchor)":"/g

/**
 * Follows references in the schemas' JSON. A string that only looks like a reference makes the set larger
 * than needed, never smaller. A reference that can't be resolved reaches everything.
 *
 * @param isExtended whether functions in schemas count, as the application's own keywords require
 */
export function createReach(
  externals: Readonly<Record<string, unknown>>,
  isExtended: boolean,
): Reach {
  const all = Object.keys(externals).sort()
  // An `$id` may have a fragment, or be one. Then the whole `$id` is its name.
  const byName = new Map(all.map((id) => [addressOf(id), id]))
  for (const id of all) byName.set(id, id)
  const texts = new Map<string, string>()
  const targets = new Map<string, readonly string[]>()
  let namesInside: ReadonlyMap<string, readonly string[]> | 'not plain' | undefined
  return { all, from, textsOf }

  function from(text: string): readonly string[] {
    if (all.length === 0 || !text.includes('"$')) return NONE
    const reached = new Set<string>(targetsOf(text))
    // A Set iterates over what is added meanwhile, so this visits the whole closure.
    for (const id of reached) {
      let next = targets.get(id)
      if (next === undefined) targets.set(id, (next = targetsOf(textOf(id))))
      for (const target of next) reached.add(target)
    }
    return [...reached].sort()
  }

  function textsOf(ids: readonly string[]): readonly string[] {
    const texts = ids.map((id) => `\n${JSON.stringify(id)}\n${textOf(id)}`)
    const names = texts.join('').match(NAMES)?.length ?? 0
    const hasName = (id: string): boolean =>
      typeof (externals[id] as { $id?: unknown } | null)?.$id === 'string'
    if (names === ids.filter(hasName).length) return texts
    // If two inner schemas have the same name, references lead to the one that is added last.
    const reached = new Set(ids)
    const order = Object.keys(externals).filter((id) => reached.has(id))
    return [...texts, `\n${JSON.stringify(order)}`]
  }

  function textOf(id: string): string {
    let text = texts.get(id)
    if (text === undefined)
      texts.set(id, (text = JSON.stringify(toJson(externals[id], isExtended))))
    return text
  }

  /** Searches without a regular expression, which took half the time of all digests. */
  function targetsOf(text: string): readonly string[] {
    const found: string[] = []
    for (let at = text.indexOf('"$'); at !== -1; at = text.indexOf('"$', at + 2)) {
      const isId = text.startsWith(ID, at)
      const keyword = isId ? ID : REFERENCES.find((one) => text.startsWith(one, at))
      if (keyword === undefined) continue
      const value = stringAt(text, at + keyword.length)
      const id = idOf(value)
      // An unknown reference may lead anywhere. An unknown `$id` is usually an independent schema.
      const ids = id === undefined ? targetsOfUnknown(value, isId) : [id]
      if (ids === all) return all
      for (const one of ids) if (!found.includes(one)) found.push(one)
    }
    return found
  }

  function targetsOfUnknown(value: string, isId: boolean): readonly string[] {
    if (isId) return holdersOf(value)
    return addressOf(value) === '' ? NONE : all
  }

  /** Returns the shared schemas that an unknown `$id` may belong to: it may be inside of one, or be another name of one. */
  function holdersOf(id: string): readonly string[] {
    // A fragment names a part of its document.
    if (id.startsWith('#')) return NONE
    namesInside ??= innerNames()
    return namesInside === 'not plain' || !PLAIN.test(id)
      ? all
      : (namesInside.get(addressOf(id)) ?? NONE)
  }

  /** Maps names inside of shared schemas to the schemas that contain them. */
  function innerNames(): Exclude<typeof namesInside, undefined> {
    const names = new Map<string, string[]>()
    for (const one of all) {
      const ids = [...innerIdsOf(externals[one])].filter((id) => !id.startsWith('#'))
      if (![one, ...ids].every((id) => PLAIN.test(id))) return 'not plain'
      for (const name of ids.map(addressOf)) names.set(name, [...(names.get(name) ?? []), one])
    }
    return names
  }

  /** Returns the shared schema that a reference names. */
  function idOf(reference: string): string | undefined {
    const text = JSON.parse(`"${reference}"`) as string
    const address = addressOf(text)
    return byName.get(text) ?? (address === '' ? undefined : byName.get(address))
  }
}

/** Returns the JSON string whose content starts at `start`, as written. */
function stringAt(text: string, start: number): string {
  let end = text.indexOf('"', start)
  while (text[end - 1] === '\\' && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return text.slice(start, end)
}

/** Returns whether an odd number of backslashes precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** Returns the part of a reference that names a schema, without a final `/`: Ajv adds one when it resolves `http://a.test#b`. */
export function addressOf(reference: string): string {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  return address.endsWith('/') ? address.slice(0, -1) : address
}
