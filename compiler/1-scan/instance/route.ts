/** Declares routes: `instance.route` and shorthands such as `instance.get`. */
import { optionsWithoutEffect } from '../../../runtime/context/fastify-5-options.ts'
import { forEachOption } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { optionsOf } from '../values/choices.ts'
import { isCallable, object, primitive, undefinedValue } from '../values/index.ts'
import type { InstanceValue, Value } from '../values/index.ts'
import { spreadInto } from '../values/spread.ts'
import { nameAt } from '../value-places.ts'
import type { Node } from '../../util/source/project.ts'
import { closest } from '../../report/closest.ts'
import { type Declaration, recordPath } from './record-route.ts'

/** `instance.get(url, options, handler)`; options may be left out, or hold the handler. */
export function declareShorthand(
  m: Machine,
  instance: InstanceValue,
  name: string,
  [url = undefinedValue, given = undefinedValue, handler]: readonly Value[],
  at: Node,
): void {
  const options = object(at)
  if (handler !== undefined || (!isCallable(given) && hasMembers(given))) {
    spreadInto(m, options, given, at)
  }
  const all = [...m.target.routes.methods, ...instance.context.root.methods]
  const methods = name === 'all' ? [...new Set(all)] : [name.toUpperCase()]
  for (const key of ['url', 'path']) m.journal.setMember(options, key, { value: url, at })
  const isList = name === 'all'
  record({ m, instance, methods, isList, options, wantsTwin: name === 'get', at }, url)
}

/** `instance.route({ method, url, … })`. */
export function declareRoute(m: Machine, instance: InstanceValue, given: Value, at: Node): void {
  forEachOption(m, given, at, (one) => {
    if (!hasMembers(one)) {
      reportRoute(m, one, 'options', 'they are not an object', at)
      return
    }
    const options = object(at)
    spreadInto(m, options, one, at)
    const read = (name: string): Value => m.known(m.get(options, primitive(name, at), at))
    const isEmpty = (value: Value): boolean => value.kind === 'primitive' && !value.value
    let url = read('url')
    if (isEmpty(url)) url = read('path')
    if (isEmpty(url)) url = primitive('', at)
    const method = m.get(options, primitive('method', at), at)
    const methods = methodsOf(m, method, at)
    if (methods === undefined) return
    const isList = method.kind === 'array'
    const wantsTwin = wantTwin(m, method, methods)
    record({ m, instance, methods, isList, options, wantsTwin, at }, url)
  })
}

/** @param option the `method` option that `methods` come from */
function wantTwin({ target }: Machine, option: Value, methods: readonly string[]): boolean {
  const { listsHaveTwins, lowerCaseHasTwins } = target.routes
  if (option.kind === 'primitive' && option.value === 'GET') return true
  const mayHave = option.kind === 'array' ? listsHaveTwins : lowerCaseHasTwins
  return mayHave && methods.includes('GET') && !methods.includes('HEAD')
}

function reportRoute(m: Machine, value: Value, what: string, otherwise: string, at: Node): void {
  const why = value.kind === 'unknown' ? value.why : otherwise
  m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, value, what, why)
}

function hasMembers(value: Value): boolean {
  return value.kind === 'object' || value.kind === 'deferred' || value.kind === 'choice'
}

/** Returns the methods in upper case; reports an unknown one and returns `undefined`. */
function methodsOf(m: Machine, option: Value, at: Node): string[] | undefined {
  const list = option.kind === 'array' ? m.iterate(option, at) : [option]
  const values = [list].flat().flatMap((item) => optionsOf(m.known(item)))
  const methods: string[] = []
  for (const value of values) {
    if (value.kind !== 'primitive') {
      reportRoute(m, value, 'method', 'it is not a string', at)
      return undefined
    }
    methods.push(String(value.value).toUpperCase())
  }
  return methods
}

function record(declaration: Declaration, url: Value): void {
  const { m, at } = declaration
  warnOfTimeout(declaration)
  warnOfMisspeltSchema(declaration)
  forEachOption(m, m.known(url), at, (one) => {
    if (one.kind !== 'primitive') reportRoute(m, one, 'URL', 'it is not a string', at)
    else recordPath(declaration, one.value === undefined ? '' : String(one.value))
  })
}

/** Warns of the only route option that only Fastify 5 supports. */
function warnOfTimeout({ m, options, at }: Declaration): void {
  const name = 'handlerTimeout'
  const timeout = m.known(m.get(options, primitive(name, at), at))
  const isSet = timeout.kind === 'primitive' && timeout.value !== undefined
  if (!isSet || m.target.name !== 'framework') return
  const place = m.project.locate(timeout.at ?? at)
  m.warn('AOT_OPTION_WITHOUT_EFFECT', place, name, optionsWithoutEffect[name] as string)
}

function warnOfMisspeltSchema({ m, options, at }: Declaration): void {
  if (options.members.has('schema')) return
  for (const [name, { value, at: member }] of options.members) {
    if (typeof name !== 'string' || !hasMembers(value)) continue
    if (closest(name, ['schema']).length === 0) continue
    const place = m.project.locate(nameAt(member) ?? member ?? at)
    const hint = 'Did you mean "schema"?'
    m.warn('AOT_NAME_WITHOUT_EFFECT', place, name, 'the options of this route', hint)
  }
}
