/**
 * What functions of the application did when its schemas were compiled: keywords that write code or stand for other
 * schemas, plugins of Ajv. They do not run with a request, so that nobody would notice an edited one.
 *
 * The build writes down what each of them was told. When the application gets ready, its own function is told the same by
 * stand-ins, and has to do the same: call, set and return the same. No compiler is needed for that, and neither the text
 * of a function counts nor how it was bundled.
 */
import type { OptionPath } from './index.ts'

/** What a function is told: `v` data, `u` nothing, `n` a name or code of Ajv as text, `s` an object by its number and whether it can be called, `a` a list. */
export type Answer =
  | readonly ['v', unknown]
  | readonly ['u']
  | readonly ['n', string]
  | readonly ['s', string, boolean]
  | readonly ['a', readonly Answer[]]

/** What a call of something that a function was given led to. */
export interface ScriptedCall {
  /** Functions among the arguments that were called meanwhile, with what they were given. */
  readonly enters: readonly (readonly [argument: number, given: readonly Answer[]])[]
  readonly result: Answer
}

/** All that one run of a function was told. */
export interface Script {
  /** `undefined` for the object that holds the function. */
  readonly self: Answer | undefined
  readonly given: readonly Answer[]
  /** By the number of an object, a dot and the name of a member: what was read there, one after the other. */
  readonly reads: Readonly<Record<string, readonly Answer[]>>
  readonly calls: readonly ScriptedCall[]
}

/** A function or a definition of the application's, and what it has to be. */
export interface Rehearsal {
  /** Where the options have it, or what adds it. */
  readonly option: OptionPath
  /** The keyword that a plugin adds. */
  readonly keyword?: string | undefined
  /** The way to the function in the definition. */
  readonly member?: readonly string[] | undefined
  /** Without one, the value itself is compared. */
  readonly script?: Script | undefined
  readonly expected: string
}

/** All rehearsals of an application. */
export interface Rehearsals {
  /** The options that they are of: `UnitFactory.settings`. */
  readonly options: string
  readonly list: readonly Rehearsal[]
}

export interface Performance {
  /** What the function did, as text. */
  readonly text: string
  /** Definitions of keywords that it handed over, by keyword. */
  readonly keywords: ReadonlyMap<string, object>
}

/** Instead of a member: the names of all. */
export const NAMES = '*names'

/** So many steps are no rehearsal any more. */
const MOST_STEPS = 100_000

/** Runs the function that `owner` holds, or that it is, by a script. */
export function perform(owner: unknown, run: unknown, script: Script): Performance {
  const lines: string[] = []
  const keywords = new Map<string, object>()
  const objects = new Map<string, object>()
  const labels = new WeakMap<object, string>()
  /** By the keys of `script.reads`: what was read or set last, and how many answers are left. */
  const known = new Map<string, { value: unknown; left: number }>()
  let calls = 0
  const tell = (value: unknown): string => describeOutcome(value, labels)
  try {
    const self = script.self === undefined ? owner : give(script.self)
    const result: unknown = Reflect.apply(run as Function, self, script.given.map(give))
    note(`returns ${tell(result)}`)
  } catch {
    // Its text may name variables, which bundlers rename.
    lines.push('throws')
  }
  return { text: lines.join('\n'), keywords }

  function note(line: string): void {
    if (lines.push(line) > MOST_STEPS) throw new RangeError('It does not come to an end')
  }

  function give(answer: Answer): unknown {
    switch (answer[0]) {
      case 'v':
        return structuredClone(answer[1])
      case 'n':
        return named(answer[1])
      case 's':
        return objectFor(answer[1], answer[2])
      case 'a':
        return answer[1].map(give)
      default:
        return undefined
    }
  }

  /** As code of Ajv takes it in: by its JSON. */
  function named(text: string): object {
    const name = {
      str: text,
      toString: () => text,
      toJSON: () => text,
      emptyStr: () => text === '',
    }
    labels.set(name, `<${text}>`)
    return name
  }

  function objectFor(id: string, isFunction: boolean): object {
    let object = objects.get(id)
    if (object === undefined) {
      object = new Proxy(isFunction ? () => undefined : {}, handlerFor(id))
      objects.set(id, object)
      labels.set(object, `<${id}>`)
    }
    return object
  }

  function handlerFor(id: string): ProxyHandler<object> {
    const names = (): string[] => (read(id, NAMES) ?? []) as string[]
    return {
      get: (_, key) => {
        if (key === 'toJSON') return () => `<${id}>`
        return typeof key === 'symbol' ? undefined : read(id, key)
      },
      set(_, key, value: unknown) {
        note(`${id}.${String(key)} = ${tell(value)}`)
        known.set(`${id}.${String(key)}`, { value, left: 0 })
        return true
      },
      has: (_, key) => names().includes(String(key)),
      ownKeys: names,
      getOwnPropertyDescriptor: (_, key) => ({
        value: read(id, String(key)),
        enumerable: true,
        configurable: true,
        writable: true,
      }),
      apply: (_, __, args: unknown[]) => call(id, args),
    }
  }

  function read(id: string, name: string): unknown {
    const key = `${id}.${name}`
    const answers = script.reads[key] ?? []
    const before = known.get(key)
    if (before?.left === 0) return before.value
    const left = before?.left ?? answers.length
    const answer = answers[answers.length - left]
    if (answer === undefined) note(`asks ${key}`)
    const value = answer && give(answer)
    known.set(key, { value, left: Math.max(left - 1, 0) })
    return value
  }

  function call(id: string, args: readonly unknown[]): unknown {
    const scripted = script.calls[calls++]
    note(`${id}(${args.map(tell).join(', ')})`)
    collectKeywords(args, keywords)
    for (const [argument, given] of scripted?.enters ?? []) {
      const inner = args[argument]
      if (typeof inner !== 'function') continue
      note(`leaves ${tell((inner as Function)(...given.map(give)))}`)
    }
    return scripted && give(scripted.result)
  }
}

/** Definitions of keywords among the arguments of `addKeyword` and `addVocabulary`. */
function collectKeywords(args: readonly unknown[], found: Map<string, object>): void {
  const [first, second] = args
  if (typeof first === 'string') add(first, second)
  else
    for (const one of [first].flat(1)) add((one as { keyword?: unknown } | undefined)?.keyword, one)

  function add(keyword: unknown, definition: unknown): void {
    const [name] = [keyword].flat() as unknown[]
    if (typeof name !== 'string' || typeof definition !== 'object' || definition === null) return
    found.set(name, definition)
  }
}

/**
 * A value among the options, as text, whatever the order of its members: the build puts functions in last. Ajv gives a
 * definition its name where it stands under it.
 */
export function describeOption([, kind]: OptionPath, value: unknown): string {
  const { keyword: _, ...rest } = value as { keyword?: unknown }
  const members = Object.entries(kind === 'keywords' ? rest : (value as object))
  return members
    .map(([key, member]) => `${key}: ${describeOutcome(sorted(member))}`)
    .sort()
    .join()
}

/** What a function is called in messages. */
export function titleOfOption(
  option: OptionPath,
  keyword: string | undefined,
  member: readonly string[] | undefined,
): string {
  const way = option.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  const of = keyword === undefined ? '' : `the keyword "${keyword}" of `
  const isNamed = keyword !== undefined || member === undefined || member.length === 0
  return `${of}the option \`ajv${way}${isNamed ? '' : `.${member.join('.')}`}\``
}

/** A copy of plain data. */
function sorted(value: unknown): unknown {
  const isPlain = isObject(value) && Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return value
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * A value that the application made, as text: data as it is, code of Ajv by its text, of functions only that they are
 * some. What runs with a request is taken from the running application anyway.
 */
export function describeOutcome(
  value: unknown,
  labels: WeakMap<object, string> = new WeakMap(),
): string {
  const outer = new Set<object>()
  return describe(value)

  function describe(one: unknown): string {
    if (typeof one === 'string') return JSON.stringify(one)
    if (typeof one === 'object' ? one === null : typeof one !== 'function') return String(one)
    const object = one as object
    const label = labels.get(object)
    if (label !== undefined) return label
    if (typeof object === 'function') return '[function]'
    if (object instanceof RegExp || object instanceof Date) return String(object)
    // `Code` and `Name` of whichever copy of Ajv.
    if ('emptyStr' in object && typeof object.emptyStr === 'function') return `<${String(object)}>`
    if (outer.has(object)) return '[again]'
    outer.add(object)
    const members = Array.isArray(object)
      ? `[${object.map(describe).join(', ')}]`
      : `{${Object.entries(object)
          .map(([key, member]) => `${key}: ${describe(member)}`)
          .join(', ')}}`
    outer.delete(object)
    return members
  }
}
