import type { Route } from '../artifact/schemas.ts'
import { rootOf } from '../report/context-path.ts'
import { isMembers } from '../util/json.ts'

/** Key of a route from the client's point of view, without parameter names. */
export function keyOf({ method, url, context, constraints = {} }: Route): string {
  const path = url.replace(PARAMETER, ':')
  const only = Object.entries(constraints).map((one) => one.join('='))
  return JSON.stringify([rootOf(context), method, path, only.toSorted()])
}

const PARAMETER = /:[A-Za-z0-9_]+/g

/** Renames the parameters in a params schema: only their positions matter. */
export function renameParameters(schema: unknown, before: string, now: string): unknown {
  if (before === now || !isMembers(schema)) return schema
  const names = now.match(PARAMETER) ?? []
  const renamed = new Map(
    (before.match(PARAMETER) ?? []).map((name, i) => [name.slice(1), names[i]?.slice(1)]),
  )
  const rename = (name: string): string => renamed.get(name) ?? name
  const { properties, required, ...rest } = schema
  return {
    ...rest,
    ...(isMembers(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [rename(name), member]),
      ),
    }),
    ...(Array.isArray(required) && { required: required.map((name) => rename(String(name))) }),
  }
}
