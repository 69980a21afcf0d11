import { optionsWithoutEffect } from '../../../runtime/context/later-options.ts'
import { forEachOption } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { isCallable, object, optionsOf, primitive, undefinedValue } from '../values/index.ts'
import type { InstanceValue, Value } from '../values/index.ts'
import { spreadInto } from '../values/spread.ts'
import { nameAt } from '../places.ts'
import type { Node } from '../project.ts'
import { closest } from '../../report/closest.ts'
import { followTwins, noteHeads } from './head-twins.ts'
import { seenOfRoute } from './hooks.ts'
import { callOnRoute, routePath, setMember } from './on-route.ts'
import type { Declaration } from './on-route.ts'

/** `instance.get(url, options, handler)` and its like. */
export function declareShorthand(
  m: Machine,
  instance: InstanceValue,
  name: string,
  args: readonly Value[],
  at: Node,
): void {
  const [url = undefinedValue, given = undefinedValue, handler] = args
  const options = object(at)
  // Without a third argument, the second one is the handler, or has it.
  const isHandler = handler === undefined && (isCallable(given) || !hasMembers(given))
  if (!isHandler) spreadInto(m, options, given, at)
  const methods = name === 'all' ? allMethods(m, instance) : [name.toUpperCase()]
  setMember(m, options, 'url', url, at)
  setMember(m, options, 'path', url, at)
  const declaration = { m, instance, methods, options, hasTwin: name === 'get', at }
  record(declaration, url)
}

/** `instance.route({ method, url, … })`. */
export function declareRoute(m: Machine, instance: InstanceValue, given: Value, at: Node): void {
  forEachOption(m, given, at, (one) => {
    if (!hasMembers(one)) {
      const why = one.kind === 'unknown' ? one.why : 'they are not an object'
      reportRoute(m, one, 'options', why, at)
      return
    }
    const options = object(at)
    spreadInto(m, options, one, at)
    const url = firstGiven(m, options, ['url', 'path'], at)
    const method = m.get(options, primitive('method', at), at)
    const methods = methodsOf(m, method, at)
    if (methods === undefined) return
    const hasTwin = wantsTwin(m, method, methods)
    record({ m, instance, methods, options, hasTwin, at }, url)
  })
}

/** What `all` stands for. */
function allMethods(m: Machine, { context }: InstanceValue): readonly string[] {
  return [...new Set([...m.line.routes.methods, ...context.root.methods])]
}

/** @param given the method as it is given, of which `methods` is made */
function wantsTwin({ line }: Machine, given: Value, methods: readonly string[]): boolean {
  const { listsHaveTwins, lowerCaseHasTwins } = line.routes
  if (given.kind === 'primitive' && given.value === 'GET') return true
  if (given.kind === 'array' && !listsHaveTwins) return false
  if (given.kind !== 'array' && !lowerCaseHasTwins) return false
  return methods.includes('GET') && !methods.includes('HEAD')
}

function reportRoute(m: Machine, value: Value, what: string, why: string, at: Node): void {
  m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, value, what, why)
}

function hasMembers(value: Value): boolean {
  return value.kind === 'object' || value.kind === 'deferred' || value.kind === 'choice'
}

function firstGiven(m: Machine, options: Value, names: readonly string[], at: Node): Value {
  for (const name of names) {
    const value = m.known(m.get(options, primitive(name, at), at))
    if (!(value.kind === 'primitive' && !value.value)) return value
  }
  return primitive('', at)
}

function methodsOf(m: Machine, value: Value, at: Node): string[] | undefined {
  const list = value.kind === 'array' ? m.iterate(value, at) : [value]
  const methods: string[] = []
  for (const item of Array.isArray(list) ? list : [list]) {
    const method = m.known(item)
    for (const one of optionsOf(method)) {
      if (one.kind !== 'primitive') {
        const why = one.kind === 'unknown' ? one.why : 'it is not a text'
        reportRoute(m, one, 'method', why, at)
        return undefined
      }
      methods.push(String(one.value).toUpperCase())
    }
  }
  return methods
}

function record(declaration: Declaration, url: Value): void {
  const { m, at } = declaration
  warnOfTimeout(declaration)
  warnOfMisspeltSchema(declaration)
  forEachOption(m, m.known(url), at, (one) => {
    if (one.kind === 'primitive') {
      recordPath(declaration, one.value === undefined ? '' : String(one.value))
    } else {
      reportRoute(m, one, 'URL', one.kind === 'unknown' ? one.why : 'it is not a text', at)
    }
  })
}

/** The one option of routes that only Fastify 5 follows. */
function warnOfTimeout({ m, options, at }: Declaration): void {
  const name = 'handlerTimeout'
  const given = m.known(m.get(options, primitive(name, at), at))
  const isGiven = given.kind === 'primitive' && given.value !== undefined
  if (!isGiven || m.line.name !== 'framework') return
  const place = m.project.locate(given.at ?? at)
  m.warn('AOT_OPTION_WITHOUT_EFFECT', place, name, optionsWithoutEffect[name] as string)
}

/** An option that is called nearly like `schema`, where there is none of that name. */
function warnOfMisspeltSchema({ m, options, at }: Declaration): void {
  if (options.kind !== 'object' || options.members.has('schema')) return
  for (const [name, { value, at: member }] of options.members) {
    if (typeof name !== 'string' || !hasMembers(value)) continue
    if (closest(name, ['schema']).length === 0) continue
    const place = m.project.locate(nameAt(member) ?? member ?? at)
    const hint = 'Did you mean "schema"?'
    m.warn('AOT_NAME_WITHOUT_EFFECT', place, name, 'the options of this route', hint)
  }
}

function recordPath(declaration: Declaration, path: string): void {
  const { m, instance, methods, options, at } = declaration
  const { context } = instance
  const given = m.known(m.get(options, primitive('prefixTrailingSlash', at), at))
  const slash = given.kind === 'primitive' ? given.value : undefined
  const trailingSlash = slash === 'slash' || slash === 'no-slash' ? slash : 'both'
  const addTwins = followTwins(declaration)
  callOnRoute(declaration, options, routePath(context.prefix, path, trailingSlash, methods))
  m.declarations.push(at)
  noteHeads(declaration, path)
  context.operations.push({
    type: 'route',
    route: {
      methods,
      path,
      trailingSlash,
      options,
      wantsTwin: declaration.hasTwin,
      at,
      arms: [...m.arms],
      ...seenOfRoute(m, context, options, at),
      twins: addTwins(path, trailingSlash),
    },
  })
}
