/** Functions for keywords of ajv-keywords 5 and @fastify/multipart 8. */
import { equal } from './equal.ts'

type Fields = Record<string, unknown>
type Check = (data: unknown) => boolean

/** `instanceof`: classes by their global names. */
export function instanceOf(names: readonly string[]): Check {
  const globals = globalThis as unknown as Record<string, unknown>
  // Some platforms have no `Buffer`.
  const classes = names.map((name) => globals[name]).filter((c) => typeof c === 'function')
  return (data) => classes.some((c) => data instanceof (c as new () => unknown))
}

/**
 * `uniqueItemProperties`: no two objects of the array have equal values under one of the keys.
 *
 * @param areScalar for each key, whether its values are declared as scalars
 */
export function uniqueItemProperties(
  keys: readonly string[],
  areScalar: readonly boolean[],
): (items: readonly unknown[]) => boolean {
  return (items) => {
    const objects = items.filter(isObject)
    return (
      items.length <= 1 ||
      keys.every((key, i) =>
        areScalar[i] ? areScalarsUnique(objects, key) : areUnique(objects, key),
      )
    )
  }
}

/** Ignores objects. Tells texts from numbers. */
function areScalarsUnique(objects: readonly Fields[], key: string): boolean {
  const seen = new Set<string>()
  for (const { [key]: value } of objects) {
    if (isObject(value)) continue
    const text = typeof value === 'string' ? `"${value}` : String(value)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}

function areUnique(objects: readonly Fields[], key: string): boolean {
  return objects.every((one, i) =>
    objects.slice(0, i).every((other) => !equal(one[key], other[key])),
  )
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

type Default = string | { readonly func: string; readonly args?: { max?: number; name?: string } }

/** Counters of the default `seq`. All schemas of a process share them. */
const sequences = new Map<string, number>()

/** `dynamicDefaults`. @param replacesEmpty the option `useDefaults: 'empty'` */
export function dynamicDefaults(
  defaults: Readonly<Record<string, Default>>,
  replacesEmpty: boolean,
): (data: Fields) => boolean {
  const makers = Object.entries(defaults).map(([key, value]) => [key, maker(value)] as const)
  return (data) => {
    for (const [key, make] of makers) {
      const value = data[key]
      const isEmpty = replacesEmpty && (value === null || value === '')
      if (value === undefined || isEmpty) data[key] = make()
    }
    return true
  }
}

/** `dynamicDefaults` where defaults don't apply. */
export function noDefaults(): boolean {
  return true
}

function maker(value: Default): () => unknown {
  const { func, args = {} } = typeof value === 'string' ? { func: value } : value
  switch (func) {
    case 'timestamp':
      return () => Date.now()
    case 'datetime':
      return now
    case 'date':
      return () => now().slice(0, 10)
    case 'time':
      return () => now().slice(11)
    case 'random':
      return () => Math.random()
    case 'randomint':
      return () => Math.floor(Math.random() * (args.max ?? 2))
    default:
      return () => next(args.name ?? '')
  }
}

function now(): string {
  return new Date().toISOString()
}

function next(name: string): number {
  const count = sequences.get(name) ?? 0
  sequences.set(name, count + 1)
  return count
}

/** `isFile`: a part of a multipart form that is a file. The plugin's own check throws at `null`. */
export function isFile(part: { readonly file?: unknown } | null): boolean {
  return Boolean(part?.file)
}

/** `transform`. */
export function trimStart(text: string): string {
  return text.trimStart()
}

export function trimEnd(text: string): string {
  return text.trimEnd()
}

export function trim(text: string): string {
  return text.trim()
}

export function toLowerCase(text: string): string {
  return text.toLowerCase()
}

export function toUpperCase(text: string): string {
  return text.toUpperCase()
}

/** Returns the value of the enum that differs only by case. */
export function toEnumCase(
  text: string,
  config?: { readonly hash: Record<string, string> },
): string {
  return config?.hash[text.toLowerCase()] || text
}
