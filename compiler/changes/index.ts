/**
 * What has changed for clients between two builds.
 *
 * A request may send what the schema before accepted, so it breaks when the schema now refuses any of that. A response may
 * hold what the schema now allows, so it breaks when the schema before did not allow all of that. One question, asked in two
 * directions: `subset.ts` answers it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { describe } from './describe.ts'
import type { Finding } from './findings.ts'
import { isRefusal } from './findings.ts'
import { requestManner, responseManner } from './manner.ts'
import type { SchemaNode } from './nodes.ts'
import { rootNode } from './nodes.ts'
import { partsOf } from './parts.ts'
import { pairRoutes, renameParameters } from './routes.ts'
import type { Manner } from './subset.ts'
import { refusedBy } from './subset.ts'

/** `unknown`: only the running application knows the schema, or its own compiler reads it. */
export type Effect = 'breaking' | 'compatible' | 'unknown'

export interface Change {
  readonly effect: Effect
  /** Stable, for filters and for SARIF. */
  readonly rule:
    | 'route-removed'
    | 'route-added'
    | 'request-changed'
    | 'response-changed'
    | 'options-changed'
    | 'not-compared'
  readonly method: string
  readonly url: string
  /** `body`, `200`; `''` for the route as a whole. */
  readonly part: string
  /** Inside of the part: `author.name`. */
  readonly path: string
  readonly message: string
  /** Where the route is declared, `file:line:column`: now, or before it was removed. */
  readonly at: string
}

export function changesBetween(before: Manifest, now: Manifest): readonly Change[] {
  const { removed, added, kept } = pairRoutes(before, now)
  return oncePerDeclaration([
    ...changedFactory(before, now),
    ...removed.map((route) => whole(route, 'breaking', 'route-removed', 'is not there any more')),
    ...kept.flatMap(([was, is]) => changedRoute(before, was, now, is)),
    ...added.map((route) => whole(route, 'compatible', 'route-added', 'is new')),
  ])
}

/** Without what is the same for a URL with a slash at its end: in a plugin with a prefix, `/` answers both. */
export function oncePerDeclaration<T extends { readonly url: string }>(list: readonly T[]): T[] {
  const known = new Set(list.map((one) => JSON.stringify({ ...one })))
  return list.filter(
    (one) =>
      !(one.url.length > 1 && one.url.endsWith('/')) ||
      !known.has(JSON.stringify({ ...one, url: one.url.slice(0, -1) })),
  )
}

function whole(route: Route, effect: Effect, rule: Change['rule'], message: string): Change {
  const { method, url, at } = route
  return { effect, rule, method, url, part: '', path: '', message, at }
}

/** Options that decide what is accepted, beside the schemas. */
function changedFactory(before: Manifest, now: Manifest): Change[] {
  const options = ['coerceTypes', 'useDefaults', 'removeAdditional', 'strictTypes', 'formats']
  const [was, is] = [before.factory.ajv, now.factory.ajv]
  const changed = options.filter((option) => !isDeepStrictEqual(was[option], is[option]))
  const at = now.contexts[0]?.at ?? ''
  const change = (option: string): Change => ({
    effect: 'breaking',
    rule: 'options-changed',
    method: '*',
    url: '*',
    part: '',
    path: '',
    message: `the option \`${option}\` has changed, which may decide about any request`,
    at,
  })
  const isOther = before.factory.mode !== now.factory.mode
  return [
    ...changed.map((one) => `ajv.customOptions.${one}`),
    ...(isOther ? ['ajv.mode'] : []),
  ].map(change)
}

function changedRoute(before: Manifest, was: Route, now: Manifest, is: Route): Change[] {
  const old = partsOf(before, was)
  const fresh = partsOf(now, is)
  const dynamic = new Set([...was.dynamic, ...is.dynamic].map(({ part }) => part))
  const own = new Set([...old.own.keys(), ...fresh.own.keys()])
  const hidden = new Set([...dynamic, ...own])
  const { method, url, at } = is
  const base = { method, url, at }
  const changes: Change[] = []
  for (const part of hidden) {
    const why = dynamic.has(part) ? known : whyNotCompared(part)
    if (why !== undefined) {
      changes.push({
        ...base,
        effect: 'unknown',
        rule: 'not-compared',
        part,
        path: '',
        message: why,
      })
    }
  }
  const isHidden = (part: string): boolean => hidden.has(part) || hidden.has('schema')
  const manner = requestManner(now.factory)
  for (const part of union(old.request, fresh.request)) {
    if (isHidden(part)) continue
    const b = fresh.request.get(part) ?? absent(part)
    const a = withNewNames(part, old.request.get(part) ?? absent(part))
    const [refused, gained] = bothWays(a, b, manner)
    add('request-changed', part, refused, gained)
  }
  for (const part of union(old.response, fresh.response)) {
    if (isHidden(part) || isHidden('response')) continue
    const [a, b] = [old.response.get(part), coverOf(part, fresh.response)]
    if (a === undefined) say('compatible', part, 'is described now')
    else if (b === undefined) say('breaking', part, 'is not described any more')
    else {
      const [gained, refused] = bothWays(a, b, responseManner)
      add('response-changed', part, refused, gained)
    }
  }
  return changes

  /** `undefined` where the application's own compiler is given the same as before. */
  function whyNotCompared(part: string): string | undefined {
    const [a, b] = [old.own.get(part), fresh.own.get(part)]
    if (a === undefined || b === undefined) return readByOwn
    const { schema, shared } = withNewNames(part, a)
    return isDeepStrictEqual([schema, shared], [b.schema, b.shared]) ? undefined : readByOwn
  }

  function withNewNames(part: string, node: SchemaNode): SchemaNode {
    return part === 'params'
      ? { ...node, schema: renameParameters(node.schema, was.url, is.url) }
      : node
  }

  function say(effect: Effect, part: string, message: string): void {
    changes.push({ ...base, effect, rule: 'response-changed', part, path: '', message })
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
        const message = describe(one, rule, effect === 'breaking')
        changes.push({ ...base, effect, rule, part, path: one.path.join('.'), message })
      }
    }
  }
}

/**
 * What `b` refuses of `a`, and what `a` refuses of `b`. A member that the other one does not speak of is nothing that is
 * refused: it belongs to the direction that does not break.
 */
function bothWays(a: SchemaNode, b: SchemaNode, manner: Manner): [Finding[], Finding[]] {
  const there = refusedBy(b, [a], manner)
  const back = refusedBy(a, [b], manner)
  if (manner.misses) {
    const gained = there.filter((one) => isRefusal(one) && one.keyword !== 'missing')
    const lost = back.filter(isRefusal)
    const more = back.filter((one) => !isRefusal(one))
    return [[...gained, ...more].filter((one) => !isSaid(one, lost)), lost]
  }
  const lost = there.filter(isRefusal)
  const dropped = there
    .filter((one) => !isRefusal(one))
    .map((one) => ({ ...one, keyword: 'dropped' }))
  return [lost, [...back, ...dropped].filter((one) => !isSaid(one, lost))]
}

/** Whether the other direction speaks of the same already. */
function isSaid({ path, keyword }: Finding, findings: readonly Finding[]): boolean {
  return findings.some((one) => one.keyword === keyword && isDeepStrictEqual(one.path, path))
}

const known = 'cannot be compared: its schema is known to the running application only'
const readByOwn = "cannot be compared: it is read by the application's own compiler"

function union(
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
}

/** What stands for a part without a schema: bodies are taken as they come, of the others nothing is expected. */
function absent(part: string): SchemaNode {
  return rootNode(
    part === 'body' ? true : { type: 'object', properties: {}, additionalProperties: false },
    {},
  )
}

/** The schema that a response has: of its status, of its class, or the default. */
function coverOf(part: string, responses: ReadonlyMap<string, SchemaNode>): SchemaNode | undefined {
  const [status = '', ...contentType] = part.split(' ')
  const keys = [status, `${status[0]}xx`, 'default'].map((one) => [one, ...contentType].join(' '))
  const key = keys.find((one) => responses.has(one))
  return key === undefined ? undefined : responses.get(key)
}
