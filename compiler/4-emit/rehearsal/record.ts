/** Runs a function and writes down what it is told: what it reads of the objects that it is given, and what their functions return. */
import { isJson } from '../../../runtime/artifact/json.ts'
import type { Answer, Script, ScriptedCall } from '../../../runtime/artifact/rehearsal.ts'
import { NAMES } from '../../../runtime/artifact/rehearsal.ts'

export interface Recorded {
  readonly result: unknown
  readonly script: Script
}

type Run = (this: unknown, ...args: unknown[]) => unknown

/**
 * The function sees what it would see without; objects that are more than data or code, such as the context of a
 * keyword, by stand-ins that write down what is asked of them.
 *
 * @param self `undefined` when it is the object that holds the function, which `owner` is
 */
export function record(
  run: Run,
  {
    self,
    owner,
    given,
  }: { readonly self?: object; readonly owner?: unknown; readonly given: readonly unknown[] },
): Recorded {
  const reads: Record<string, Answer[]> = {}
  const calls: { enters: [number, readonly Answer[]][]; result: Answer }[] = []
  const ids = new Map<unknown, string>()
  const shown = new Map<unknown, object>()
  const originals = new WeakMap<object, unknown>()
  const script: Script = {
    self: self && answerTo(self),
    given: given.map(answerTo),
    reads,
    calls: calls satisfies readonly ScriptedCall[],
  }
  const result = original(
    Reflect.apply(run, self === undefined ? owner : show(self), given.map(show)),
  )
  // As the artifact has it.
  return { result, script: JSON.parse(JSON.stringify(script)) as Script }

  function answerTo(value: unknown): Answer {
    if (/^(?:undefined|symbol|bigint)$/.test(typeof value)) return ['u']
    if (isCode(value)) return ['n', String(value)]
    if (isData(value)) return ['v', structuredClone(value) as unknown]
    if (Array.isArray(value)) return ['a', value.map(answerTo)]
    let id = ids.get(value)
    if (id === undefined) ids.set(value, (id = String(ids.size)))
    return ['s', id, typeof value === 'function']
  }

  function show(value: unknown): unknown {
    if (!isObject(value) || isCode(value) || isData(value)) return value
    if (Array.isArray(value)) return value.map(show)
    let known = shown.get(value)
    if (known === undefined) {
      known = new Proxy(typeof value === 'function' ? () => undefined : {}, handlerFor(value))
      shown.set(value, known)
      originals.set(known, value)
    }
    return known
  }

  function original(value: unknown): unknown {
    return isObject(value) && originals.has(value) ? originals.get(value) : value
  }

  function noteRead(of: object, name: string, value: unknown): void {
    const [, id] = answerTo(of) as readonly ['s', string, boolean]
    ;(reads[`${id}.${name}`] ??= []).push(answerTo(value))
  }

  function handlerFor(value: object): ProxyHandler<object> {
    const namesOf = (): string[] => {
      const names = Object.keys(value)
      noteRead(value, NAMES, names)
      return names
    }
    return {
      getPrototypeOf: () => Reflect.getPrototypeOf(value),
      get(_, key) {
        const member: unknown = Reflect.get(value, key)
        if (typeof key === 'symbol') {
          return typeof member === 'function' ? (member.bind(value) as unknown) : member
        }
        noteRead(value, key, member)
        return show(member)
      },
      set: (_, key, member) => Reflect.set(value, key, original(member)),
      has(_, key) {
        namesOf()
        return Reflect.has(value, key)
      },
      ownKeys: namesOf,
      getOwnPropertyDescriptor(_, key) {
        if (!Object.hasOwn(value, key)) return undefined
        const member: unknown = Reflect.get(value, key)
        if (typeof key === 'string') noteRead(value, key, member)
        return { value: show(member), enumerable: true, configurable: true, writable: true }
      },
      apply: (_, on: unknown, args: unknown[]) => call(value as Run, on, args),
    }
  }

  function call(callee: Run, on: unknown, args: readonly unknown[]): unknown {
    const made: (typeof calls)[number] = { enters: [], result: ['u'] }
    calls.push(made)
    let isOver = false
    const inner = args.map((arg, argument) =>
      typeof arg === 'function' && !originals.has(arg)
        ? entered(arg as Run, argument)
        : original(arg),
    )
    const result = Reflect.apply(callee, original(on), inner)
    isOver = true
    made.result = answerTo(result)
    return show(result)

    function entered(arg: Run, argument: number): Run {
      return (...values) => {
        if (!isOver) made.enters.push([argument, values.map(answerTo)])
        return original(arg(...values.map(show)))
      }
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' ? value !== null : typeof value === 'function'
}

/** `Code` and `Name` of whichever copy of Ajv. */
function isCode(value: unknown): boolean {
  return isObject(value) && typeof (value as { emptyStr?: unknown }).emptyStr === 'function'
}

/** What JSON has no text for. */
function holdsOther(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsOther)
  return typeof value === 'bigint' || typeof value === 'symbol'
}

function isData(value: unknown): boolean {
  if (!isObject(value)) return true
  try {
    return typeof value === 'object' && isJson(value) && !holdsOther(value)
  } catch (error) {
    // It goes round in circles.
    if (error instanceof RangeError) return false
    throw error
  }
}
