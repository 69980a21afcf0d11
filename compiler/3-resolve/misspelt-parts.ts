import type { Diagnostic, RouteNode } from '../model/index.ts'
import { closest } from '../report/closest.ts'
import { warning } from '../report/errors.ts'
import { isMembers } from '../util/json.ts'
import { meant } from './explain/near-misses.ts'

const parts = ['body', 'headers', 'params', 'query', 'querystring', 'response']

/** Warns of members of a route's `schema` that have no effect and whose name is similar to one that has. */
export function warnOfMisspeltParts({ schema, url }: RouteNode): readonly Diagnostic[] {
  return Object.entries(schema?.value ?? {}).flatMap(([name, value]) => {
    if (parts.includes(name) || !isMembers(value)) return []
    const hint = meant(closest(name, parts))
    const at = schema?.locate([name], 'name')
    if (hint === undefined || at === undefined) return []
    return [warning('AOT_NAME_WITHOUT_EFFECT', at, name, `the schema of ${url}`, hint)]
  })
}
