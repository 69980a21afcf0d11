/** Explains schemas that break Fastify's rules about the form of a route's `schema` option. */
import { cloneSchema, type SchemaRule } from '../../runtime/artifact/normalize.ts'
import { diagnostic } from '../report/errors.ts'
import type { Diagnostic, RouteNode, SourceLocation } from '../model/index.ts'
import { valueAt } from '../util/json.ts'

/** Thrown out of a `SchemaReading`, which can't continue after a broken rule. */
export class BrokenRule extends Error {
  readonly rule: SchemaRule
  readonly subjects: string[]
  constructor(rule: SchemaRule, subjects: string[]) {
    super(rule)
    this.rule = rule
    this.subjects = subjects
  }
}

export function fail(rule: SchemaRule, ...subjects: string[]): never {
  throw new BrokenRule(rule, subjects)
}

/** A problem, and the member of the schema to leave out before trying again. */
interface BrokenPart {
  readonly problem: Diagnostic
  readonly path: readonly string[]
}

type Content = Readonly<Record<string, { schema?: unknown }>>

export function describeBrokenRule({ rule, subjects }: BrokenRule, route: RouteNode): BrokenPart {
  const schema = route.schema
  const response = (schema?.value.response ?? {}) as Record<string, { content?: Content }>
  const broken = (
    path: readonly string[],
    describe: (at: SourceLocation) => Diagnostic,
    what?: 'name',
  ): BrokenPart => ({ path, problem: describe(schema?.locate(path, what) ?? route.at) })
  switch (rule) {
    case 'FST_ERR_SCH_DUPLICATE':
      return broken(['query'], (at) => diagnostic('AOT_SCHEMA_DUPLICATE_QUERY', at, route.url))
    case 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA': {
      const [mediaType = ''] = subjects
      const lacksSchema = (key: string): boolean => {
        const entry = response[key]?.content?.[mediaType]
        return entry !== undefined && !entry.schema
      }
      const status = Object.keys(response).find(lacksSchema)
      const path = status === undefined ? ['body'] : ['response', status]
      const { problem } = broken([...path, 'content', mediaType], (at) =>
        diagnostic('AOT_RESPONSE_CONTENT_WITHOUT_SCHEMA', at, path.join(' '), mediaType),
      )
      // Leave the whole part out: without one of its media types it may mean something else.
      return { problem, path }
    }
    case 'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX': {
      const status =
        Object.keys(response).find((key) => !/^([1-5]\d\d|[1-5]xx|default)$/i.test(key)) ?? ''
      const problem = (at: SourceLocation): Diagnostic =>
        diagnostic('AOT_RESPONSE_STATUS_INVALID', at, status)
      return broken(['response', status], problem, 'name')
    }
  }
}

/** Returns the route without a member of its schema; without its schema if there is no such member. */
export function without(route: RouteNode, path: readonly string[]): RouteNode {
  const { schema } = route
  const value = cloneSchema(schema?.value ?? {})
  const owner = valueAt(value, path.slice(0, -1)) as Record<string, unknown> | undefined
  const last = path.at(-1) ?? ''
  if (schema === undefined || owner?.[last] === undefined) return { ...route, schema: undefined }
  delete owner[last]
  return { ...route, schema: { ...schema, value } }
}
