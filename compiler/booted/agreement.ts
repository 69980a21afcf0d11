/** Keeps of a recording what doesn't depend on the environment, the clock, chance, the machine or the folder. */
import { isDeepStrictEqual } from 'node:util'
import type {
  RecordedContext,
  RecordedHook,
  RecordedInstance,
  RecordedRoute,
  RecordedValue,
  Recording,
} from './recording.ts'

const varies = 'it differs with another environment, clock, machine or random number'
const isPlace = 'it contains the path of the folder that the application is built in'

/**
 * Compares two boots. Values that differ become unknown, and routes and contexts that only one of them has are left out, together with
 * the calls that declared them.
 */
export function agreed(first: Recording, second: Recording, root: string): Recording {
  const dropped = new Set<string>()
  const instances = pairs(first.others, second.others, ({ root: { routes } }) =>
    routes.map(keyOf).join(),
  )
  const main = instance(first, second)
  const others = instances.map(([one, other]) => instance(one, other))
  const calls = first.calls.filter(({ file, line }) => !dropped.has(`${file}:${line}`))
  return { ...first, ...main, others, calls }

  function instance(one: RecordedInstance, other: RecordedInstance): RecordedInstance {
    const { options } = one
    const customOptions = value(options.customOptions, other.options.customOptions)
    const serializerOpts = value(options.serializerOpts, other.options.serializerOpts)
    return {
      options: { ...options, customOptions, serializerOpts },
      root: context(one.root, other.root),
      document: one.document && other.document && value(one.document, other.document),
    }
  }

  function context(one: RecordedContext, other: RecordedContext): RecordedContext {
    const children = pairs(one.children, other.children, ({ name, prefix }) => `${name} ${prefix}`)
    const routes = pairs(one.routes, other.routes, keyOf)
    const schemas = pairs(one.schemas, other.schemas, ({ id }) => id)
    drop(without(one.routes, routes))
    without(one.children, children).forEach(dropAll)
    return {
      ...one,
      schemas: schemas.map(([a, b]) => ({ ...a, schema: value(a.schema, b.schema) })),
      hooks: hooks(one.hooks, other.hooks),
      routes: routes.map(([a, b]) => ({
        ...a,
        schema: routeSchema(a, b),
        hooks: hooks(a.hooks, b.hooks),
        twinHooks: a.twinHooks && hooks(a.twinHooks, b.twinHooks ?? []),
      })),
      children: children.map(([a, b]) => context(a, b)),
    }
  }

  function dropAll({ routes, children }: RecordedContext): void {
    drop(routes)
    children.forEach(dropAll)
  }

  function drop(routes: readonly RecordedRoute[]): void {
    for (const { at } of routes) if (at) dropped.add(`${at.file}:${at.line}`)
  }

  function routeSchema(one: RecordedRoute, other: RecordedRoute): RecordedValue | undefined {
    if (one.schema === undefined || other.schema === undefined) return one.schema
    const { value: parts, holes } = one.schema
    const others = other.schema.value
    if (!isObject(parts) || !isObject(others)) return value(one.schema, other.schema)
    const paths = Object.keys(parts).flatMap((part) => {
      const responses = parts[part]
      return part === 'response' && isObject(responses) && isObject(others[part])
        ? Object.keys(responses).map((status) => [part, status])
        : [[part]]
    })
    const found = paths.flatMap((path) => {
      const why = whyUnknown(at(parts, path), at(others, path))
      return why === undefined ? [] : [{ path, why }]
    })
    const common = holes.map((hole) => withCommonParser(hole, other.schema?.holes ?? []))
    return { value: parts, holes: [...common, ...found] }
  }

  function value(one: RecordedValue, other: RecordedValue): RecordedValue {
    const why = whyUnknown(one.value, other.value)
    return why === undefined ? one : { ...one, holes: [...one.holes, { path: [], why }] }
  }

  function whyUnknown(one: unknown, other: unknown): string | undefined {
    if (!isDeepStrictEqual(one, other)) return varies
    return JSON.stringify(one)?.includes(JSON.stringify(root).slice(1, -1)) ? isPlace : undefined
  }
}

type RecordedHole = RecordedValue['holes'][number]

/** Leaves out the parser of a type that isn't the same in both boots, such as one with a date. */
function withCommonParser(hole: RecordedHole, others: readonly RecordedHole[]): RecordedHole {
  if (hole.described === undefined) return hole
  const { parser, library } = hole.described
  const isCommon = others.some(
    ({ path, described }) =>
      isDeepStrictEqual(path, hole.path) && described?.parser?.digest === parser?.digest,
  )
  return isCommon ? hole : { ...hole, described: { library, refusal: varies } }
}

/** Returns the hooks of both boots. Those that only one of them has are conditional. */
function hooks(first: readonly RecordedHook[], second: readonly RecordedHook[]): RecordedHook[] {
  const key = ({ hook, name, package: of, at }: RecordedHook): string =>
    JSON.stringify([hook, name, of, at?.file, at?.line])
  const both = pairs(first, second, key)
  const partners = new Map(both)
  const known = new Set(partners.values())
  const conditional = (one: RecordedHook): RecordedHook => ({ ...one, isConditional: true })
  const rest = [...second]
  const merged = first.flatMap((one) => {
    const partner = partners.get(one)
    if (partner === undefined) return [conditional(one)]
    const before = rest.splice(0, rest.indexOf(partner) + 1).filter((other) => !known.has(other))
    return [...before.map(conditional), one]
  })
  return [...merged, ...rest.filter((one) => !known.has(one)).map(conditional)]
}

/** Pairs the members of two lists that have the same key, in order. */
function pairs<T>(
  first: readonly T[],
  second: readonly T[],
  key: (one: T) => string,
): (readonly [T, T])[] {
  const rest = [...second]
  return first.flatMap((one) => {
    const index = rest.findIndex((other) => key(other) === key(one))
    return index === -1 ? [] : [[one, ...rest.splice(index, 1)] as unknown as readonly [T, T]]
  })
}

function without<T>(all: readonly T[], paired: readonly (readonly [T, T])[]): T[] {
  const kept = new Set(paired.map(([one]) => one))
  return all.filter((one) => !kept.has(one))
}

function keyOf({ methods, url }: RecordedRoute): string {
  return `${methods.join()} ${url}`
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
