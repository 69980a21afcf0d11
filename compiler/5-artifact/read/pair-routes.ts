import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../manifest.ts'
import { groupBy } from '../../util/group-by.ts'
import type { Route } from './schemas.ts'

/** A route of two builds, or of one of them. */
export type RoutePair = readonly [was: Route | undefined, is: Route | undefined]

/** Pairs the routes of two builds, without twins, which mostly change with their GET routes. */
export function pairRoutes(
  before: Manifest,
  now: Manifest,
  keyOf: (route: Route) => string,
): RoutePair[] {
  const grouped = ({ routes }: Manifest): Map<string, Route[]> =>
    groupBy(
      routes.filter((route) => !route.isTwin),
      keyOf,
    )
  const left = grouped(before)
  const pairs: RoutePair[] = []
  for (const [key, fresh] of grouped(now)) {
    const old = left.get(key) ?? []
    left.delete(key)
    // A conditional route may have several schemas: pair equal ones first.
    const rest = fresh.filter((is) => {
      const index = old.findIndex((was) => isSame(was, is))
      if (index !== -1) pairs.push([old.splice(index, 1)[0], is])
      return index === -1
    })
    for (const is of rest) pairs.push([old.shift(), is])
    for (const was of old) pairs.push([was, undefined])
  }
  for (const was of [...left.values()].flat()) pairs.push([was, undefined])
  return pairs
}

function isSame(one: Route, other: Route): boolean {
  return (
    isDeepStrictEqual(one.validators, other.validators) &&
    isDeepStrictEqual(one.serializers, other.serializers)
  )
}
