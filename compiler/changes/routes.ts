import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { rootOf } from '../report/context-path.ts'
import { groupBy } from '../util/group-by.ts'
import { isMembers } from '../util/json.ts'

/** Routes of two builds that are the same to a client. */
export interface PairedRoutes {
  readonly removed: readonly Route[]
  readonly added: readonly Route[]
  readonly kept: readonly (readonly [was: Route, is: Route])[]
}

export function pairRoutes(before: Manifest, now: Manifest): PairedRoutes {
  const left = groupByKey(before)
  const removed: Route[] = []
  const added: Route[] = []
  const kept: (readonly [Route, Route])[] = []
  for (const [key, fresh] of groupByKey(now)) {
    const old = left.get(key) ?? []
    left.delete(key)
    // A conditional route may have several schemas: pair equal ones first.
    const rest = fresh.filter((is) => {
      const index = old.findIndex((was) => isSame(was, is))
      if (index !== -1) kept.push([...old.splice(index, 1), is] as unknown as [Route, Route])
      return index === -1
    })
    for (const is of rest) {
      const was = old.shift()
      if (was === undefined) added.push(is)
      else kept.push([was, is])
    }
    removed.push(...old)
  }
  return { removed: [...[...left.values()].flat(), ...removed], added, kept }
}

/** Key of a route from the client's point of view, without parameter names. */
function keyOf({ method, url, context, constraints = {} }: Route): string {
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

function groupByKey({ routes }: Manifest): Map<string, Route[]> {
  return groupBy(
    routes.filter((route) => !route.isTwin),
    keyOf,
  )
}

function isSame(one: Route, other: Route): boolean {
  return (
    isDeepStrictEqual(one.validators, other.validators) &&
    isDeepStrictEqual(one.serializers, other.serializers)
  )
}
