/**
 * Checks that functions of the application which run while schemas are compiled still do what they did during the build,
 * such as keywords that write code or expand to other schemas, and plugins of Ajv. They don't run during a request, so an
 * edited one would go unnoticed.
 *
 * The build records what each function reads and what its calls return. At startup the application's own function gets the
 * same answers from proxies, and has to call, set and return the same. This needs no compiler, and depends neither on the
 * text of the function nor on how it was bundled.
 */
import type { OptionPath } from '../index.ts'

/**
 * A recorded value: `v` data (without one, `undefined`), `n` a name or code of Ajv as text, `s` an object by its number and whether
 * it can be called, `a` a list.
 */
export type Answer =
  | readonly ['v', unknown?]
  | readonly ['n', string]
  | readonly ['s', string, boolean]
  | readonly ['a', readonly Answer[]]

/** A call of something that the function was given. */
interface RecordedCall {
  /** Callbacks among the arguments that ran during the call, with what they were given. */
  readonly callbacks: readonly (readonly [argument: number, given: readonly Answer[]])[]
  readonly result: Answer
}

/** Everything that one run of a function got from outside. */
export interface Script {
  /** `undefined` for the object that holds the function. */
  readonly self: Answer | undefined
  readonly given: readonly Answer[]
  /** Reads in order, by the object's number and the member's name: `0.schema`. */
  readonly reads: Readonly<Record<string, readonly Answer[]>>
  readonly calls: readonly RecordedCall[]
}

/** Where the options have a function, or what adds it. */
export interface FunctionPlace {
  readonly option: OptionPath
  /** The keyword that a plugin adds. */
  readonly keyword?: string | undefined
  /** The path to the function in the definition. */
  readonly member?: readonly string[] | undefined
}

/** A function or a definition, and what it has to do or be. */
export interface ReplayCheck extends FunctionPlace {
  /** Without one, the value itself is compared. */
  readonly script?: Script | undefined
  readonly expected: string
}

/** The replay checks of the instances with the same options. */
export interface ReplayChecks {
  /** The options that contain the functions: `UnitFactory.settings`. */
  readonly options: string
  readonly list: readonly ReplayCheck[]
}

export interface Replay {
  /** A description of what the function did. */
  readonly text: string
  /** Definitions of keywords that it passed on, by keyword. */
  readonly keywords: ReadonlyMap<string, object>
}

/** Key in `Script.reads`, in place of a member's name, for the list of an object's member names. */
export const NAMES = '*names'

/** Keys in `Script.reads` for the methods of Ajv that add keywords. */
const ADDS_KEYWORDS = /\.(?:addKeyword|addVocabulary)$/

/** Limits a function that never ends with recorded answers. */
const MAX_STEPS = 100_000

/** Handles what a function does with an object that it was given. */
export interface Watcher {
  read(name: string): unknown
  names(): string[]
  write(name: string, value: unknown): void
  call(args: readonly unknown[], self: unknown): unknown
}

export function watched(isFunction: boolean, watcher: Watcher): object {
  return new Proxy(isFunction ? () => undefined : {}, {
    get: (_, key) => (typeof key === 'symbol' ? undefined : watcher.read(key)),
    set: (_, key, value: unknown) => {
      watcher.write(String(key), value)
      return true
    },
    has: (_, key) => watcher.names().includes(String(key)),
    ownKeys: () => watcher.names(),
    getOwnPropertyDescriptor: (_, key) => ({
      value: watcher.read(String(key)),
      enumerable: true,
      configurable: true,
      writable: true,
    }),
    apply: (_, self: unknown, args: unknown[]) => watcher.call(args, self),
  })
}

/** Runs a function with recorded answers. @param owner the object that holds it */
export function replay(owner: unknown, run: unknown, script: Script): Replay {
  const lines: string[] = []
  const keywords = new Map<string, object>()
  const objects = new Map<string, object>()
  const labels = new WeakMap<object, string>()
  /** Numbers of the functions by which plugins add keywords. */
  const adders = new Set<string>()
  /** The value that was read or set last, and the number of answers that are left, by the keys of `script.reads`. */
  const members = new Map<string, { value: unknown; left: number }>()
  let calls = 0
  const textOf = (value: unknown): string => describe(value, labels)
  try {
    const self = script.self === undefined ? owner : give(script.self)
    const result: unknown = Reflect.apply(run as Function, self, script.given.map(give))
    note(`returns ${textOf(result)}`)
  } catch {
    // The text of an error may contain variables, which bundlers rename.
    lines.push('throws')
  }
  return { text: lines.join('\n'), keywords }

  function note(line: string): void {
    if (lines.push(line) > MAX_STEPS) throw new RangeError('It does not end')
  }

  function give(answer: Answer): unknown {
    switch (answer[0]) {
      case 'v':
        return structuredClone(answer[1])
      case 'n':
        return labelled(ajvCode(answer[1]), answer[1])
      case 's':
        return objectFor(answer[1], answer[2])
      case 'a':
        return answer[1].map(give)
    }
  }

  function labelled<T extends object>(object: T, label: string): T {
    labels.set(object, `<${label}>`)
    return object
  }

  function objectFor(id: string, isFunction: boolean): object {
    let object = objects.get(id)
    if (object === undefined) {
      const watcher: Watcher = {
        read: (name) => (name === 'toJSON' ? () => `<${id}>` : read(`${id}.${name}`)),
        names: () => (read(`${id}.${NAMES}`) ?? []) as string[],
        write: (name, value) => {
          note(`${id}.${name} = ${textOf(value)}`)
          members.set(`${id}.${name}`, { value, left: 0 })
        },
        call: (args) => call(id, args),
      }
      objects.set(id, (object = labelled(watched(isFunction, watcher), id)))
    }
    return object
  }

  function read(key: string): unknown {
    const answers = script.reads[key] ?? []
    const previous = members.get(key)
    if (previous?.left === 0) return previous.value
    const left = previous?.left ?? answers.length
    const answer = answers[answers.length - left]
    if (answer === undefined) note(`reads ${key}`)
    const value = answer && give(answer)
    if (answer?.[0] === 's' && ADDS_KEYWORDS.test(key)) adders.add(answer[1])
    members.set(key, { value, left: Math.max(left - 1, 0) })
    return value
  }

  function call(id: string, args: readonly unknown[]): unknown {
    const recorded = script.calls[calls++]
    note(`${id}(${args.map(textOf).join(', ')})`)
    if (adders.has(id)) collectKeywords(args, keywords)
    for (const [argument, given] of recorded?.callbacks ?? []) {
      const callback = args[argument]
      if (typeof callback === 'function') note(`leaves ${textOf(callback(...given.map(give)))}`)
    }
    return recorded && give(recorded.result)
  }
}

type Members = Readonly<Record<string, unknown>> | undefined

/** Returns the object that holds the function at a path, and the function. */
export function functionIn(value: unknown, path: readonly string[]): [unknown, unknown] {
  let holder = value
  for (const name of path.slice(0, -1)) holder = (holder as Members)?.[name]
  return [holder, (holder as Members)?.[path.at(-1) ?? '']]
}

/** Creates an object in place of a `Name` or `Code`. Templates of Ajv write it into code as the JSON of its text. */
function ajvCode(text: string): object {
  return { str: text, toString: () => text, toJSON: () => text, emptyStr: () => text === '' }
}

/** Returns whether a value is a `Code` or `Name`, of any copy of Ajv. */
export function isAjvCode(value: object): boolean {
  return typeof (value as { emptyStr?: unknown }).emptyStr === 'function'
}

/** Collects the definitions of keywords among the arguments of `addKeyword` or `addVocabulary`. */
function collectKeywords([first, second]: readonly unknown[], found: Map<string, object>): void {
  if (typeof first === 'string') add(first, second)
  else
    for (const one of [first].flat(1)) add((one as { keyword?: unknown } | undefined)?.keyword, one)

  function add(keyword: unknown, definition: unknown): void {
    const [name] = [keyword].flat() as unknown[]
    if (typeof name === 'string' && typeof definition === 'object' && definition !== null)
      found.set(name, definition)
  }
}

/** Describes formats, or the definition of a keyword. Ajv adds the name of the keyword to some definitions. */
export function describeOption([, kind]: OptionPath, value: unknown): string {
  const { keyword: _, ...rest } = value as { keyword?: unknown }
  return describe(kind === 'keywords' ? rest : value, new WeakMap(), true)
}

/** Returns the name of a function for messages. */
export function titleOfFunction({ option, keyword, member = [] }: FunctionPlace): string {
  const path = option.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  if (keyword !== undefined) return `the keyword "${keyword}" of the option \`ajv${path}\``
  return `the option \`ajv${[path, ...member].join('.')}\``
}

/**
 * Describes a value that the application made: data as it is, code of Ajv by its text, a function only as one. Functions
 * that run during a request are always those of the running application.
 *
 * @param isSorted whether the order of members is ignored: the build puts functions last
 */
function describe(value: unknown, labels: WeakMap<object, string>, isSorted = false): string {
  const outer = new Set<object>()
  return text(value)

  function text(one: unknown): string {
    if (typeof one === 'string') return JSON.stringify(one)
    if (typeof one === 'object' ? one === null : typeof one !== 'function') return String(one)
    const object = one as object
    const label = labels.get(object)
    if (label !== undefined) return label
    if (typeof object === 'function') return '[function]'
    if (object instanceof RegExp || object instanceof Date) return String(object)
    if (isAjvCode(object)) return `<${String(object)}>`
    if (outer.has(object)) return '[again]'
    outer.add(object)
    const members = Object.entries(object).map(([key, member]) => `${key}: ${text(member)}`)
    outer.delete(object)
    if (Array.isArray(object)) return `[${members.join(', ')}]`
    return `{${(isSorted ? members.sort() : members).join(', ')}}`
  }
}
