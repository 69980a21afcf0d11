/** Names the compiled parser of a Zod type. */
import { digestOf } from './digest.ts'
import type { Digest } from './index.ts'

/** The members of Zod's types that a parser is compiled from. */
export interface ZodType {
  readonly _zod: ZodInternals
}

export interface ZodInternals {
  readonly def: object
  /** The classes of the type, by which Zod tells kinds apart. */
  readonly traits: ReadonlySet<string>
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number }
  run: ZodRun
}

export type ZodRun = ((payload: ZodPayload, context?: ZodContext) => unknown) & {
  /** Set by Zod's own compiler, and here. */
  __originalRun?: ZodRun
}

export interface ZodPayload {
  value: unknown
}

export interface ZodContext {
  readonly async?: boolean
  readonly skipChecks?: boolean
  readonly direction?: string
  [flag: symbol]: boolean
}

export function isZodType(value: unknown): value is ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

/** Getters may return new types without end. */
const MAX_DEPTH = 200

/**
 * Digest of all that Zod's compiler reads of a type, and of Zod's version. Functions count by their place alone: compiled code takes
 * them from the live type. `undefined` if the type can't be read to its end.
 */
export function zodDigest(type: ZodType): Digest | undefined {
  try {
    return digestOf(textOf(type))
  } catch {
    // A getter of the application has thrown, as it will when the type parses.
    return undefined
  }
}

function textOf(type: ZodType): string {
  const seen = new Map<unknown, number>()
  const { major, minor, patch } = type._zod.version
  let text = `zod ${major}.${minor}.${patch} `
  let depth = 0
  visit(type)
  return text

  function visit(value: unknown): void {
    switch (typeof value) {
      case 'string':
        text += `"${value.length}:${value}`
        return
      case 'number':
      case 'boolean':
      case 'undefined':
        text += `,${Object.is(value, -0) ? '-0' : value}`
        return
      case 'bigint':
        text += `,${value}n`
        return
      case 'symbol':
        text += `@${String(value)}`
        return
      case 'function':
        text += value.constructor.name === 'AsyncFunction' ? 'A' : 'f'
        return
      case 'object':
        visitObject(value)
    }
  }

  function visitObject(value: object | null): void {
    if (value === null) {
      text += ',null'
      return
    }
    const known = seen.get(value)
    if (known !== undefined) {
      text += `#${known}`
      return
    }
    seen.set(value, seen.size)
    if (++depth > MAX_DEPTH) throw new RangeError('a type without end')
    if (value instanceof RegExp) text += `/${value.source}/${value.flags}`
    else if (value instanceof Date) text += `D${value.getTime()}`
    else if (value instanceof Set || value instanceof Map || Array.isArray(value)) {
      text += Array.isArray(value) ? '[' : 'S['
      for (const item of value) visit(item)
      text += ']'
    } else if (isZodType(value)) {
      text += `<${[...(value._zod.traits ?? [])].join()}`
      visitMembers(value._zod.def)
      text += '>'
    } else visitMembers(value)
    depth--
  }

  function visitMembers(members: object): void {
    text += '{'
    for (const key in members) {
      if (ofLiveType.has(key)) continue
      text += `${key.length}:${key}`
      visit((members as Readonly<Record<string, unknown>>)[key])
    }
    for (const key of Object.getOwnPropertySymbols(members)) {
      text += `@${String(key)}`
      visit((members as Readonly<Record<symbol, unknown>>)[key])
    }
    text += '}'
  }
}

/** Messages are those of the live type, which also computes defaults and resolves lazy types. */
const ofLiveType: ReadonlySet<string> = new Set([
  'error',
  'defaultValue',
  'abort',
  'params',
  '_cachedInner',
])
