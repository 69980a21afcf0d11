/** Collects the schemas of an application for its manifest: each different one once, named by a digest of its text. */
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { RouteNode } from '../model/index.ts'

/** The `schema` option of a route as written, as far as it is known. Schemas are names in `Manifest.schemas`. */
export interface ManifestRouteSchema {
  /** By member: `body`, `query`, `headers`. */
  readonly parts: Readonly<Record<string, string>>
  /** By status, as written. */
  readonly responses: Readonly<Record<string, string>>
  /** Other members: `tags`, `summary`. */
  readonly about: Readonly<Record<string, unknown>>
}

export interface SchemaTable {
  /** JSON by name. Parsing it takes as long as writing, and few need the values. */
  readonly texts: ReadonlyMap<string, string>
  /** Adds a schema and returns its name; `undefined` if it has no JSON. */
  name(schema: unknown): string | undefined
  routeSchema(schema: RouteNode['schema']): ManifestRouteSchema | undefined
}

const parts: ReadonlySet<string> = new Set(['body', 'headers', 'params', 'query', 'querystring'])

export function createSchemaTable(): SchemaTable {
  const texts = new Map<string, string>()
  const digests = new Map<object, string>()
  return { texts, name, routeSchema }

  function name(schema: unknown): string | undefined {
    const isObject = typeof schema === 'object' && schema !== null
    const found = isObject ? digests.get(schema) : undefined
    if (found !== undefined) return found
    const text = toJson(schema)
    if (text === undefined) return undefined
    const digest = digestOf(text)
    texts.set(digest, text)
    if (isObject) digests.set(schema, digest)
    return digest
  }

  function routeSchema(schema: RouteNode['schema']): ManifestRouteSchema | undefined {
    if (schema === undefined) return undefined
    const { response, ...others } = schema.value
    const members = Object.entries(others)
    return {
      parts: namesOf(members.filter(([key]) => parts.has(key))),
      responses: namesOf(
        typeof response === 'object' && response !== null ? Object.entries(response) : [],
      ),
      about: Object.fromEntries(
        members
          .filter(([key]) => !parts.has(key))
          .flatMap(([key, value]) => {
            const text = toJson(value)
            return text === undefined ? [] : [[key, JSON.parse(text) as unknown]]
          }),
      ),
    }
  }

  function namesOf(members: readonly (readonly [string, unknown])[]): Record<string, string> {
    return Object.fromEntries(
      members.flatMap(([key, value]) => {
        const found = name(value)
        return found === undefined ? [] : [[key, found]]
      }),
    )
  }
}

/** Returns `undefined` for values without JSON: functions, circular objects. */
function toJson(value: unknown): string | undefined {
  // A replacer takes several times as long, and few schemas contain bigints.
  return attempt(() => JSON.stringify(value)) ?? attempt(() => JSON.stringify(value, withBigints))
}

function withBigints(_: string, member: unknown): unknown {
  return typeof member === 'bigint' ? String(member) : member
}

function attempt(write: () => string | undefined): string | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
