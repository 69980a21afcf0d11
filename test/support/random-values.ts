/** Generates values that match a schema or nearly do, from a seed. */

type Json = Record<string, unknown>

export interface Random {
  /** At least 0, below 1. */
  next(): number
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
}

/** mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296
    },
    below: (limit) => Math.floor(random.next() * limit),
    chance: (probability) => random.next() < probability,
    pick: (values) => values[random.below(values.length)] as (typeof values)[number],
  }
  return random
}

export const TEXTS: readonly string[] = [
  '',
  'a',
  'ab',
  'abc',
  'abcdef',
  'a1',
  '1',
  '-7',
  '1.5',
  '1e3',
  ' 2 ',
  'true',
  'false',
  'null',
  'é',
  '😀',
  '😀😀',
  'α',
  '0x10',
  '-0',
  '9007199254740993',
  '\ud800',
  '"',
  "'",
  '\\',
  '\u2028',
  '\n',
  '2024-02-29',
  '2023-02-29',
  '2024-01-01',
  '10:20:30',
  '10:20:30Z',
  '23:59:60Z',
  '24:00:00Z',
  '2024-01-01T10:20:30Z',
  '2024-01-01t10:20:30+01:00',
  '2024-01-01 10:20:30',
  'a@b.co',
  'a@b',
  'http://example.com/a?b#c',
  '/a/b',
  '#frag',
  'urn:a:b',
  '127.0.0.1',
  '01.2.3.4',
  '::1',
  '2eb8aa08-aa98-11ea-b4aa-73b441d16380',
  'P1D',
  '/~0/~1',
  'x'.repeat(60),
]

const NUMBERS: readonly number[] = [
  0,
  1,
  -1,
  2,
  3,
  5,
  7,
  10,
  1.5,
  -0.5,
  2.5,
  1e3,
  2 ** 31,
  -(2 ** 31) - 1,
  0.1,
  0.3,
  1e21,
  1e-7,
  -0,
  2 ** 53,
  2 ** 63,
  Number.MAX_VALUE,
]

const EXTRA_KEYS: readonly string[] = [
  'z',
  'extra',
  'a',
  'x1',
  'constructor',
  'toString',
  '__proto__',
]

/** @param root the schema that `#/definitions/...` refers to */
export function valueFor(
  schema: unknown,
  random: Random,
  root: Json,
  externals: Readonly<Record<string, unknown>>,
  depth: number = 0,
): unknown {
  if (random.chance(0.08) || depth > 6) return anything(random, depth)
  if (typeof schema !== 'object' || schema === null) return anything(random, depth)
  const s = schema as Json
  const inner = (next: unknown): unknown => valueFor(next, random, root, externals, depth + 1)
  if (typeof s.$ref === 'string') return inner(resolve(s.$ref, root, externals))
  if ('const' in s && random.chance(0.8)) return s.const
  if (Array.isArray(s.enum) && random.chance(0.8)) return random.pick(s.enum)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = s[keyword]
    if (Array.isArray(branches) && branches.length > 0 && random.chance(0.6)) {
      return combine(inner(random.pick(branches)), inner({ ...s, [keyword]: undefined }), random)
    }
  }
  if (s.if !== undefined && random.chance(0.5)) {
    return combine(
      inner(random.pick([s.if, s.then, s.else])),
      inner({ ...s, if: undefined }),
      random,
    )
  }
  if (s.nullable === true && random.chance(0.2)) return null
  const types = Array.isArray(s.type) ? (s.type as string[]) : [(s.type as string) ?? guess(s)]
  const value = ofType(random.pick(types), s, random, inner, depth)
  return random.chance(0.12) ? disguise(value, random) : value
}

/** Converts a value to another type, which coercion may revert. */
function disguise(value: unknown, random: Random): unknown {
  if (typeof value === 'object') return [value]
  switch (random.below(4)) {
    case 0:
      return [value]
    case 1:
      return String(value)
    case 2:
      return Number(value)
    default:
      return typeof value === 'boolean' ? Number(value) : null
  }
}

function combine(one: unknown, other: unknown, random: Random): unknown {
  const areObjects = [one, other].every(
    (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
  )
  if (areObjects) return { ...(other as Json), ...(one as Json) }
  return random.chance(0.7) ? one : other
}

function guess(s: Json): string {
  if (s.properties || s.required || s.additionalProperties !== undefined) return 'object'
  if (s.items || s.contains || s.minItems !== undefined) return 'array'
  if (s.minLength !== undefined || s.pattern || s.format) return 'string'
  return 'number'
}

function ofType(
  type: string,
  s: Json,
  random: Random,
  inner: (schema: unknown) => unknown,
  depth: number,
): unknown {
  switch (type) {
    case 'string':
      return random.pick(TEXTS)
    case 'integer':
      return Math.trunc(random.pick(NUMBERS))
    case 'number':
      return random.pick(NUMBERS)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return arrayOf(s, random, inner)
    case 'object':
      return objectOf(s, random, inner)
    default:
      return anything(random, depth)
  }
}

function arrayOf(s: Json, random: Random, inner: (schema: unknown) => unknown): unknown[] {
  const items = s.items
  const length = random.below(4)
  const values = Array.from({ length }, (_, i) =>
    inner(Array.isArray(items) ? (items[i] ?? s.additionalItems) : (items ?? s.contains)),
  )
  if (values.length > 1 && random.chance(0.2)) values[1] = structuredClone(values[0])
  return values
}

function objectOf(s: Json, random: Random, inner: (schema: unknown) => unknown): Json {
  const entries: [string, unknown][] = []
  const properties = (s.properties ?? {}) as Json
  for (const key of Object.keys(properties)) {
    const isRequired = Array.isArray(s.required) && s.required.includes(key)
    if (random.chance(isRequired ? 0.92 : 0.6)) entries.push([key, inner(properties[key])])
  }
  if (random.chance(0.35)) {
    const extra = s.additionalProperties ?? Object.values((s.patternProperties ?? {}) as Json)[0]
    entries.push([random.pick(EXTRA_KEYS), inner(extra)])
  }
  // Assigning to `__proto__` would set the prototype.
  return Object.fromEntries(entries)
}

function anything(random: Random, depth: number): unknown {
  switch (random.below(depth > 4 ? 6 : 8)) {
    case 0:
      return random.pick(TEXTS)
    case 1:
      return random.pick(NUMBERS)
    case 2:
      return random.chance(0.5)
    case 3:
      return null
    case 4:
      return {}
    case 5:
      return []
    case 6:
      return { [random.pick(['a', 'b', 'z'])]: anything(random, depth + 1) }
    default:
      return [anything(random, depth + 1)]
  }
}

function resolve(ref: string, root: Json, externals: Readonly<Record<string, unknown>>): unknown {
  const [id, pointer = ''] = ref.split('#') as [string, string?]
  let schema: unknown = id === '' ? root : externals[id]
  for (const part of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    schema = (schema as Json | undefined)?.[key]
  }
  return schema
}

/** Replaces some members by values that only applications have, such as dates. */
export function asApplicationValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => asApplicationValue(item, random))
  if (typeof value === 'object' && value !== null) {
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, asApplicationValue(member, random)]),
    )
    return random.chance(0.05) ? { toJSON: () => copy } : copy
  }
  if (typeof value === 'string' && random.chance(0.1)) return random.pick(LIVE_TEXTS)
  if (typeof value === 'number' && random.chance(0.1)) return random.pick(LIVE_NUMBERS)
  return value
}

const LIVE_TEXTS: readonly unknown[] = [
  new Date(0),
  new Date('2024-02-29T10:20:30.5Z'),
  new Date('0005-01-01T00:00:00Z'),
  new Date('9999-12-31T23:59:59.999Z'),
  new Date(Number.NaN),
  /a"b/g,
  { toJSON: () => 'as JSON' },
  { toString: () => 'as "text"' },
  undefined,
  Symbol.iterator,
  () => 1,
]

const LIVE_NUMBERS: readonly unknown[] = [
  10n,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  '12',
  1.5,
  new Date(5),
]
