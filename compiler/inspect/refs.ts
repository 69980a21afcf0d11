/** Resolves every `$ref` in the parts of routes, as its context sees it. */
import { addressOf } from '../../runtime/artifact/reach.ts'
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { schemaOf, sharedSchemas } from '../artifact/schemas.ts'
import { isWithin } from '../report/context-path.ts'
import { refsIn } from '../util/json.ts'

export interface ExplainedRef {
  readonly ref: string
  /** The shared schema that contains the reference; undefined for the part itself. */
  readonly within: string | undefined
  /** `$id` of the target. */
  readonly id: string
  /** The context that adds the target. */
  readonly context: string
  readonly at: string
}

export interface Refs {
  /** References in a part, and in the shared schemas that it reaches. */
  of(route: Route, part: string): readonly ExplainedRef[]
  /** References in any schema, as seen from a context. */
  from(schema: unknown, context: string): readonly ExplainedRef[]
}

/** Caches results, because routes of one context often share schemas. */
export function createRefs(manifest: Manifest): Refs {
  const seenBy = new Map<string, Seen>()
  return { of: (route, part) => from(partOf(manifest, route, part), route.context), from }

  function from(schema: unknown, context: string): readonly ExplainedRef[] {
    if (typeof schema !== 'object' || schema === null) return []
    const seen = seenBy.get(context) ?? whatIsSeen(manifest, context)
    seenBy.set(context, seen)
    const known = seen.refs.get(schema)
    if (known !== undefined) return known
    const refs = refsFrom(schema, seen)
    seen.refs.set(schema, refs)
    return refs
  }
}

interface Seen {
  readonly shared: ReadonlyMap<string, Target>
  /** Cached results by schema. */
  readonly refs: Map<object, readonly ExplainedRef[]>
}

interface Target extends Omit<ExplainedRef, 'ref' | 'within'> {
  readonly schema: unknown
}

function whatIsSeen(manifest: Manifest, context: string): Seen {
  const around = manifest.contexts.filter((one) => isWithin(context, one.context))
  const shared = new Map<string, Target>()
  for (const [id, schema] of Object.entries(sharedSchemas(manifest, context))) {
    const holder = around.find((one) => id in one.shared)
    const address = addressOf(id)
    if (holder === undefined || shared.has(address)) continue
    const { context, shared: own } = holder
    shared.set(address, { id, schema, context, at: own[id]?.at ?? '' })
  }
  return { shared, refs: new Map() }
}

function refsFrom(start: object, { shared }: Seen): readonly ExplainedRef[] {
  const found: ExplainedRef[] = []
  const seen = new Set<string>()
  visit(start, undefined)
  return found

  function visit(schema: unknown, within: string | undefined): void {
    for (const ref of refsIn(schema)) {
      const target = shared.get(addressOf(ref))
      const key = `${within}\n${ref}`
      if (target === undefined || seen.has(key)) continue
      seen.add(key)
      const { id, context, at } = target
      found.push({ ref, within, id, context, at })
      visit(target.schema, id)
    }
  }
}

function partOf(manifest: Manifest, route: Route, part: string): unknown {
  const schema = schemaOf(manifest, route) ?? {}
  if (part === 'querystring') return schema['querystring'] ?? schema['query']
  if (part in schema && part !== 'response') return schema[part]
  const [status = '', ...contentType] = part.split(' ')
  const responses = (schema['response'] ?? {}) as Record<string, unknown>
  const key = Object.keys(responses).findLast((one) => one.toLowerCase() === status)
  const response = key === undefined ? undefined : responses[key]
  if (contentType.length === 0) return response
  return (response as { content?: Record<string, unknown> } | undefined)?.content?.[
    contentType.join(' ')
  ]
}
