/** Resolves references to shared schemas in the parts of routes, as their contexts see them. */
import { addressOf } from '../../runtime/artifact/reach.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { schemaOf, type Route } from '../../compiler/5-artifact/read/schemas.ts'
import { isWithin } from '../../compiler/report/context-path.ts'
import { refsIn } from '../../compiler/util/json.ts'

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

interface Target extends Omit<ExplainedRef, 'ref' | 'within'> {
  readonly schema: unknown
}

export function createRefs(manifest: Manifest): Refs {
  const seenFrom = new Map<string, ReadonlyMap<string, Target>>()
  return { of: (route, part) => from(partOf(manifest, route, part), route.context), from }

  function from(start: unknown, context: string): readonly ExplainedRef[] {
    const shared = seenFrom.get(context) ?? sharedByAddress(manifest, context)
    seenFrom.set(context, shared)
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
        const { schema: inner, ...rest } = target
        found.push({ ref, within, ...rest })
        visit(inner, rest.id)
      }
    }
  }
}

function sharedByAddress(
  { contexts, schemas }: Manifest,
  context: string,
): ReadonlyMap<string, Target> {
  const targets = contexts
    .filter((one) => isWithin(context, one.context))
    .flatMap((one) =>
      Object.entries(one.shared).map(([id, { schema, at }]): [string, Target] => [
        addressOf(id),
        { id, context: one.context, at, schema: schemas[schema] },
      ]),
    )
  // The first schema with an address is used.
  return new Map(targets.reverse())
}

/** @param part its name in the manifest: `body`, `body text/plain`, `2xx application/json` */
function partOf(manifest: Manifest, route: Route, part: string): unknown {
  const schema = schemaOf(manifest, route) ?? {}
  if (part === 'querystring') return schema['querystring'] ?? schema['query']
  if (part in schema && part !== 'response') return schema[part]
  const [name = '', ...contentType] = part.split(' ')
  const responses = (schema['response'] ?? {}) as Record<string, unknown>
  // Fastify uses the last one of `2XX` and `2xx`.
  const key = Object.keys(responses).findLast((one) => one.toLowerCase() === name)
  const entry = name === 'body' ? schema['body'] : key && responses[key]
  if (contentType.length === 0) return entry
  return (entry as { content?: Record<string, unknown> } | undefined)?.content?.[
    contentType.join(' ')
  ]
}
