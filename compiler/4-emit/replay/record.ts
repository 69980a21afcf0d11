/** Runs a function and records what it reads of the objects that it is given, and what their functions return, for a replay check at startup. */
import type { Answer, Script } from '../../../runtime/artifact/replay/index.ts'
import { isAjvCode, NAMES, watched } from '../../../runtime/artifact/replay/index.ts'
import { isExactJson } from '../../util/exact-text.ts'

export type Run = (this: unknown, ...args: unknown[]) => unknown

/**
 * Gives the function data and code as they are, and other objects, such as the context of a keyword, as proxies.
 *
 * @param self a proxy of it is `this`; by default `this` is `owner` itself, the object that holds the function
 */
export function record(
  run: Run,
  {
    self,
    owner,
    args,
  }: { readonly self?: object; readonly owner?: unknown; readonly args: readonly unknown[] },
): { readonly result: unknown; readonly script: Script } {
  const reads: Record<string, Answer[]> = {}
  const calls: { callbacks: [number, readonly Answer[]][]; result: Answer }[] = []
  const ids = new Map<unknown, string>()
  const proxies = new Map<unknown, object>()
  const originals = new Map<unknown, unknown>()
  const script: Script = { self: self && answerTo(self), given: args.map(answerTo), reads, calls }
  const result = original(Reflect.apply(run, self ? show(self) : owner, args.map(show)))
  // As JSON, the form in which the artifact contains it.
  return { result, script: JSON.parse(JSON.stringify(script)) as Script }

  function answerTo(value: unknown): Answer {
    // JSON has no symbols and bigints: a replay gets `undefined` in their place.
    if (/^(?:undefined|symbol|bigint)$/.test(typeof value)) return ['v']
    if (isObject(value) && isAjvCode(value)) return ['n', String(value)]
    if (isData(value)) return ['v', structuredClone(value) as unknown]
    if (Array.isArray(value)) return ['a', value.map(answerTo)]
    let id = ids.get(value)
    if (id === undefined) ids.set(value, (id = String(ids.size)))
    return ['s', id, typeof value === 'function']
  }

  function show(value: unknown): unknown {
    if (!isObject(value) || isAjvCode(value) || isData(value)) return value
    if (Array.isArray(value)) return value.map(show)
    let proxy = proxies.get(value)
    if (proxy === undefined) {
      proxies.set(value, (proxy = watch(value)))
      originals.set(proxy, value)
    }
    return proxy
  }

  function original(value: unknown): unknown {
    return originals.has(value) ? originals.get(value) : value
  }

  function watch(value: object): object {
    const note = (name: string, member: unknown): void => {
      const [, id] = answerTo(value)
      ;(reads[`${String(id)}.${name}`] ??= []).push(answerTo(member))
    }
    return watched(typeof value === 'function', {
      read(name) {
        const member: unknown = Reflect.get(value, name)
        note(name, member)
        return show(member)
      },
      names() {
        note(NAMES, Object.keys(value))
        return Object.keys(value)
      },
      write: (name, member) => void Reflect.set(value, name, original(member)),
      call: (args, on) => call(value as Run, on, args),
    })
  }

  function call(callee: Run, on: unknown, args: readonly unknown[]): unknown {
    const recorded: (typeof calls)[number] = { callbacks: [], result: ['v'] }
    calls.push(recorded)
    let isOver = false
    const originalArgs = args.map((arg, argument) =>
      // A callback of the recorded function: a replay repeats what it got during this call.
      typeof arg === 'function' && !originals.has(arg)
        ? (...values: unknown[]) => {
            if (!isOver) recorded.callbacks.push([argument, values.map(answerTo)])
            return original((arg as Run)(...values.map(show)))
          }
        : original(arg),
    )
    const outcome = Reflect.apply(callee, original(on), originalArgs)
    isOver = true
    recorded.result = answerTo(outcome)
    return show(outcome)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' ? value !== null : typeof value === 'function'
}

function isData(value: unknown): boolean {
  if (!isObject(value)) return true
  try {
    return typeof value === 'object' && isExactJson(value)
  } catch (error) {
    // It contains itself.
    if (error instanceof RangeError) return false
    throw error
  }
}
