/**
 * Finds out what changed for clients between two builds.
 *
 * A client may send any request that the old schema accepted, so a change breaks it if the new schema rejects
 * some of them. A response may be anything that the new schema allows, so a change breaks clients if the old
 * schema didn't allow all of it. Both are the same question in two directions, which `subset.ts` answers.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { keyOfPart, libraryOf, type Route } from '../../compiler/5-artifact/read/schemas.ts'
import { describe } from './describe.ts'
import { isRefusal, type Finding } from './findings.ts'
import { rootNode, type SchemaNode } from './nodes.ts'
import { keyOf, partsOf, renameParameters } from './parts.ts'
import { pairRoutes } from '../../compiler/5-artifact/read/pair-routes.ts'
import { refusedBy, type CompareOptions } from './subset.ts'

/** `unknown`: only the running application knows the schema, or its own compiler reads it. */
export type Effect = 'breaking' | 'compatible' | 'unknown'

export interface Change {
  readonly effect: Effect
  /** Stable names for filters and SARIF. */
  readonly rule:
    | 'route-removed'
    | 'route-added'
    | 'request-changed'
    | 'response-changed'
    | 'options-changed'
    | 'not-compared'
  readonly method: string
  readonly url: string
  /** `body`, `200`; `''` for the whole route. */
  readonly part: string
  /** Path inside of the part: `author.name`. */
  readonly path: string
  readonly message: string
  /** Where the route is declared, or was before it was removed; for options, where the application is: `file:line:column`. */
  readonly at: string
}

export function changesBetween(before: Manifest, now: Manifest): readonly Change[] {
  const pairs = pairRoutes(before, now, keyOf)
  const removed = pairs.flatMap(([was, is]) => (was && !is ? [was] : []))
  const added = pairs.flatMap(([was, is]) => (is && !was ? [is] : []))
  return oncePerDeclaration([
    ...changedFactory(before, now),
    ...removed.map((route) =>
      routeChange(route, 'breaking', 'route-removed', 'is not there any more'),
    ),
    ...pairs.flatMap(([was, is]) => (was && is ? changedRoute(before, was, now, is) : [])),
    ...added.map((route) => routeChange(route, 'compatible', 'route-added', 'is new')),
  ])
}

/** Removes duplicates that differ by a trailing slash only: `/` in a plugin with a prefix matches both URLs. */
function oncePerDeclaration(list: readonly Change[]): Change[] {
  const keys = new Set(list.map((one) => JSON.stringify(one)))
  return list.filter(
    (one) =>
      !(one.url.length > 1 && one.url.endsWith('/')) ||
      !keys.has(JSON.stringify({ ...one, url: one.url.slice(0, -1) })),
  )
}

function routeChange(
  { method, url, at }: Pick<Route, 'method' | 'url' | 'at'>,
  effect: Effect,
  rule: Change['rule'],
  message: string,
): Change {
  return { effect, rule, method, url, part: '', path: '', message, at }
}

/** Compares factory options that affect validation. */
function changedFactory(before: Manifest, now: Manifest): Change[] {
  const options = ['coerceTypes', 'useDefaults', 'removeAdditional', 'strictTypes', 'formats']
  const [was, is] = [before.factory.ajv, now.factory.ajv]
  const changed = options.filter((option) => !isDeepStrictEqual(was[option], is[option]))
  const at = now.contexts[0]?.at ?? ''
  const all = { method: '*', url: '*', at }
  const change = (option: string): Change => {
    const message = `the option \`${option}\` has changed, which may decide about any request`
    return routeChange(all, 'breaking', 'options-changed', message)
  }
  const hasOtherMode = before.factory.mode !== now.factory.mode
  return [
    ...changed.map((one) => `ajv.customOptions.${one}`),
    ...(hasOtherMode ? ['ajv.mode'] : []),
  ].map(change)
}

function changedRoute(before: Manifest, was: Route, now: Manifest, is: Route): Change[] {
  const old = partsOf(before, was)
  const fresh = partsOf(now, is)
  const dynamic = new Set([...was.dynamic, ...is.dynamic].map(({ part }) => part))
  const external = new Set([...old.external.keys(), ...fresh.external.keys()])
  const incomparable = new Set([...dynamic, ...external])
  const { method, url, at } = is
  const changes: Change[] = []
  for (const part of incomparable) {
    const why = dynamic.has(part) ? knownAtRunTime : whyNotCompared(part)
    if (why !== undefined) note('unknown', 'not-compared', part, why)
  }
  const isIncomparable = (part: string): boolean =>
    [part, keyOfPart(part), 'schema'].some((name) => incomparable.has(name))
  for (const part of union(old.request, fresh.request)) {
    if (isIncomparable(part)) continue
    const oldNode = withNewNames(part, requestNode(part, old.request))
    const options = libraryOf(is, part) ? libraryOptions : requestOptions(now.factory)
    const [refused, gained] = bothWays(oldNode, requestNode(part, fresh.request), options)
    add('request-changed', part, refused, gained)
  }
  for (const part of union(old.response, fresh.response)) {
    if (isIncomparable(part) || isIncomparable('response')) continue
    const [a, b] = [coverOf(part, old.response), coverOf(part, fresh.response)]
    if (a === undefined) note('compatible', 'response-changed', part, 'is described now')
    else if (b === undefined)
      note('breaking', 'response-changed', part, 'is not described any more')
    else {
      const [gained, refused] = bothWays(a, b, responseOptions)
      add('response-changed', part, refused, gained)
    }
  }
  return changes

  /** Returns undefined if the application's own compiler gets the same input as before. */
  function whyNotCompared(part: string): string | undefined {
    const [a, b] = [old.external.get(part), fresh.external.get(part)]
    if (a === undefined || b === undefined) return readByOwnCompiler
    const { schema, shared } = withNewNames(part, a)
    return isDeepStrictEqual([schema, shared], [b.schema, b.shared]) ? undefined : readByOwnCompiler
  }

  function withNewNames(part: string, node: SchemaNode): SchemaNode {
    return part === 'params'
      ? { ...node, schema: renameParameters(node.schema, was.url, is.url) }
      : node
  }

  function note(
    effect: Effect,
    rule: Change['rule'],
    part: string,
    message: string,
    path = '',
  ): void {
    changes.push({ method, url, at, effect, rule, part, path, message })
  }

  function add(
    rule: 'request-changed' | 'response-changed',
    part: string,
    breaking: readonly Finding[],
    compatible: readonly Finding[],
  ): void {
    for (const [effect, findings] of [
      ['breaking', breaking],
      ['compatible', compatible],
    ] as const) {
      for (const one of findings) {
        note(effect, rule, part, describe(one, rule, effect === 'breaking'), one.path.join('.'))
      }
    }
  }
}

/** Returns how requests are validated: Fastify's defaults, overridden by the application's options. */
function requestOptions({ ajv }: Manifest['factory']): CompareOptions {
  const { coerceTypes = 'array', useDefaults = true, removeAdditional = true } = ajv
  return {
    coerces: Boolean(coerceTypes),
    wraps: coerceTypes === 'array',
    fillsDefaults: Boolean(useDefaults),
    dropsOthers: Boolean(removeAdditional),
    missesRemoved: false,
  }
}

/** How libraries validate: the schemas of what their types read show where they convert and remove. */
const libraryOptions: CompareOptions = {
  coerces: false,
  wraps: false,
  fillsDefaults: true,
  dropsOthers: false,
  missesRemoved: false,
}

/** How clients read responses: additional members are harmless, missing ones aren't. */
const responseOptions: CompareOptions = {
  coerces: false,
  wraps: false,
  fillsDefaults: false,
  dropsOthers: true,
  missesRemoved: true,
}

/** Compares in both directions. Undeclared members are never rejected, so they're listed with the findings that don't break clients. */
function bothWays(
  old: SchemaNode,
  fresh: SchemaNode,
  options: CompareOptions,
): [refusedNow: Finding[], refusedBefore: Finding[]] {
  const now = refusedBy(fresh, [old], options)
  const before = refusedBy(old, [fresh], options)
  if (options.missesRemoved) {
    // A new member is `missing` in `now` and `undeclared` in `before`: report it once.
    const gained = now.filter((one) => isRefusal(one) && one.keyword !== 'missing')
    const lost = before.filter(isRefusal)
    const newMembers = before.filter((one) => !isRefusal(one))
    return [[...gained, ...newMembers].filter((one) => !isReported(one, lost)), lost]
  }
  const lost = now.filter(isRefusal)
  const dropped = now
    .filter((one) => !isRefusal(one))
    .map((one) => ({ ...one, keyword: 'dropped' }))
  return [lost, [...before, ...dropped].filter((one) => !isReported(one, lost))]
}

/** Returns whether the other direction already reports it. */
function isReported({ path, keyword }: Finding, findings: readonly Finding[]): boolean {
  return findings.some((one) => one.keyword === keyword && isDeepStrictEqual(one.path, path))
}

const knownAtRunTime = 'cannot be compared: its schema is known to the running application only'
const readByOwnCompiler = "cannot be compared: it is read by the application's own compiler"

function union(
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
}

/** Returns the schema of a part, or of all bodies. Without a schema, clients may send any body, and are assumed to send nothing else. */
function requestNode(part: string, parts: ReadonlyMap<string, SchemaNode>): SchemaNode {
  const name = keyOfPart(part)
  const none = name === 'body' || { type: 'object', properties: {}, additionalProperties: false }
  return parts.get(part) ?? parts.get(name) ?? rootNode(none, {})
}

/** Returns the response schema for a status: exact, by class, or the default. */
function coverOf(part: string, responses: ReadonlyMap<string, SchemaNode>): SchemaNode | undefined {
  const [status = '', ...contentType] = part.split(' ')
  const keys = [status, `${status[0]}xx`, 'default'].map((one) => [one, ...contentType].join(' '))
  const key = keys.find((one) => responses.has(one))
  return key === undefined ? undefined : responses.get(key)
}
