/** The rules that come with the compiler, by name. */
import { isSafeRegex } from '../../runtime/router/safe-regex.ts'
import { isMembers } from '../../compiler/util/json.ts'
import type { Rule } from '../../compiler/model/rules.ts'

/** Returns a ready-made rule; `undefined` if the name is unknown or the rule doesn't take this value. */
export function readyMade(name: string, value: unknown): Rule | undefined {
  const hook = /^hook:([^:]+):(.+)$/.exec(name)
  if (hook && (value === true || typeof value === 'string'))
    return hookRule(hook[1] as string, hook[2] as string, value)
  if (name === 'max-body' && typeof value === 'number') return maxBody(value)
  return value === true && Object.hasOwn(simple, name) ? simple[name] : undefined
}

const simple: Readonly<Record<string, Rule>> = {
  'response-schemas': (route) =>
    route.method === 'HEAD' ||
    route.response('2xx') !== undefined ||
    'it has no schema for a 2xx response',
  'closed-bodies': ({ body }) => {
    const open = openObject(body, 'body', new Set())
    return open === undefined || `${open} allows other properties than its own`
  },
  'no-unsafe-regex': (route) => {
    const { body, querystring, params, headers } = route
    const seen = new Set<unknown>()
    const unsafe = Object.entries({ body, querystring, params, headers }).flatMap(
      ([part, schema]) =>
        patternsIn(schema, seen).flatMap((pattern) =>
          isSafe(pattern) ? [] : [`${part} has /${pattern}/`],
        ),
    )
    return unsafe.length === 0 || `${unsafe.join(', ')}, which may take exponential time`
  },
  documented: (route) =>
    route.isTwin ||
    [route.about['summary'], route.about['description']].some(Boolean) ||
    'it has neither a summary nor a description',
  // Reading an unknown part breaks the rule.
  'no-dynamic': (route) => {
    void [route.body, route.querystring, route.params, route.headers, route.about]
    void route.response('2xx')
    return true
  },
}

export const names: readonly string[] = [...Object.keys(simple), 'max-body']

function hookRule(kind: string, name: string, pattern: string | true): Rule {
  const urls = (pattern === true ? '*' : pattern).split('*').map(escapeRegex)
  const test = new RegExp(`^${urls.join('.*')}$`)
  return (route) =>
    !test.test(route.url) || route.hasHook(kind, name) || `it has no ${kind} hook ${name}`
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function maxBody(most: number): Rule {
  return ({ method, bodyLimit }) =>
    ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ||
    bodyLimit <= most ||
    `its body may have ${bodyLimit} bytes`
}

/** Returns the path of an object schema that allows other properties. */
function openObject(schema: unknown, path: string, seen: Set<unknown>): string | undefined {
  if (!isMembers(schema) || seen.has(schema)) return undefined
  seen.add(schema)
  const { type, content, properties, items, anyOf, oneOf } = schema
  if (isMembers(content)) {
    const types = Object.entries(content).map(([name, one]) =>
      openObject(isMembers(one) ? one['schema'] : one, `${path} ${name}`, seen),
    )
    return types.find(Boolean)
  }
  const isClosed = [schema['additionalProperties'], schema['unevaluatedProperties']].includes(false)
  if ([type].flat().includes('object') && !isClosed) return path
  const members = isMembers(properties) ? Object.entries(properties) : []
  return [
    ...members.map(([name, one]) => openObject(one, `${path}.${name}`, seen)),
    ...[items].flat().map((one) => openObject(one, `${path}[]`, seen)),
    ...[anyOf, oneOf].flat().map((one) => openObject(one, path, seen)),
  ].find(Boolean)
}

function patternsIn(schema: unknown, seen: Set<unknown>): readonly string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'pattern' && typeof value === 'string') return [value]
    const keys = name === 'patternProperties' && isMembers(value) ? Object.keys(value) : []
    return [...keys, ...patternsIn(value, seen)]
  })
}

function isSafe(pattern: string): boolean {
  return isSafeRegex(new RegExp(pattern, 'u'))
}
